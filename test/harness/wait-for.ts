import { setTimeout as delay } from 'node:timers/promises';

/** Polls until the condition gives something; says the last state when it never does. */
export async function waitFor<Value>(
  condition: () => Value | undefined | false | Promise<Value | undefined | false>,
  { timeoutMs = 30_000, state = () => '' }: { timeoutMs?: number; state?: () => string } = {},
): Promise<Value> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadlineMs) throw new Error(`waited ${timeoutMs} ms in vain; ${state()}`);
    await delay(10);
  }
}
