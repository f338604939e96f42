import { setTimeout as delay } from 'node:timers/promises';
import { vi } from 'vitest';

const POLL_MS = 10;

export interface WaitForOptions {
  readonly timeoutMs?: number;
  /** What is waited for, for the failure. */
  readonly what?: string;
  /** What there is instead, asked when it never comes. */
  readonly state?: () => string;
}

/** Polls until the condition gives something that is neither false nor undefined; says the last state when it never does. */
export async function waitFor<Value>(
  condition: () => Value | Promise<Value>,
  { timeoutMs = 30_000, what = 'a condition', state }: WaitForOptions = {},
): Promise<Exclude<Value, false | undefined>> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value as Exclude<Value, false | undefined>;
    if (performance.now() > deadlineMs)
      throw new Error(`waited ${timeoutMs} ms in vain for ${what}: ${state?.() ?? String(value)}`);
    await delay(POLL_MS);
  }
}

/** Makes an assertion again and again until it holds; on a busy machine that may take a while. */
export function eventually<Value>(assertion: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(assertion, { timeout: 30_000, interval: POLL_MS });
}
