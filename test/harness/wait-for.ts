import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;

export interface WaitForOptions {
  readonly timeoutMs?: number;
  /** What is waited for, for the failure. */
  readonly what?: string;
}

/** Asks until the answer is neither false nor undefined; fails with the last answer after `timeoutMs` (20 s). */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  { timeoutMs = 20_000, what = 'a condition' }: WaitForOptions = {},
): Promise<Exclude<T, false | undefined>> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
    if (Date.now() > endMs) throw new Error(`waited ${timeoutMs} ms in vain for ${what}: ${String(answer)}`);
    await delay(POLL_MS);
  }
}
