import { expect, test } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.js';

test('skips after failures in a row, tries one call after a pause, and doubles the pause', async () => {
  let now = 0;
  let calls = 0;
  let isBroken = true;
  const breaker = new CircuitBreaker({ maxFailures: 2, firstPauseMs: 100, maxPauseMs: 150, now: () => now });
  const run = () =>
    breaker.run(async () => {
      calls += 1;
      if (isBroken) throw new Error('gone');
    });
  await expect(run()).rejects.toThrow('gone');
  await expect(run()).rejects.toThrow('gone');
  await run();
  expect([calls, breaker.skippedCallCount]).toEqual([2, 1]);
  now = 100;
  await Promise.all([expect(run()).rejects.toThrow('gone'), run()]);
  expect([calls, breaker.skippedCallCount]).toEqual([3, 2]);
  now = 249;
  await run();
  expect(calls).toBe(3);
  now = 250;
  isBroken = false;
  await run();
  await run();
  expect(calls).toBe(5);
});

test('a success in between starts the counting anew', async () => {
  const breaker = new CircuitBreaker({ maxFailures: 2 });
  const fail = () => breaker.run(() => Promise.reject(new Error('gone')));
  for (let i = 0; i < 5; i += 1) {
    await expect(fail()).rejects.toThrow();
    await breaker.run(async () => {});
  }
  expect(breaker.skippedCallCount).toBe(0);
});
