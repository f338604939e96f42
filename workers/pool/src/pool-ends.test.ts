import type { Worker } from 'node:worker_threads';
import { TextRange } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { loadCounter, sharedKernel } from '@preflight/tokenizer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** Threads started since the test began. */
let threads: Worker[] = [];
const remember = (worker: Worker) => threads.push(worker);
beforeEach(() => {
  threads = [];
  process.on('worker', remember);
});
afterEach(() => {
  process.off('worker', remember);
});

function letters(count: number): TextRange {
  const shared = new SharedArrayBuffer(count);
  new Uint8Array(shared).fill(0x61);
  return new TextRange(shared, 0, count);
}

/** Enough for a thread; less is counted on this one. */
const words = 'word '.repeat(2000);
const wordTokens = (await loadCounter('o200k_base')).count(words);

/** About a tenth of a second of work that cannot be split. */
const long = letters(60_000_000);

test('a pool that is closed at once has its threads load first, and then ends them', async () => {
  const loaded: boolean[] = [];
  const watch = (worker: Worker) => worker.once('message', () => loaded.push(true));
  process.on('worker', watch);
  const pool = createPool({ threads: 2 });
  await pool.close();
  process.off('worker', watch);
  expect(loaded).toEqual([true, true]);
});

describe('a thread that dies', () => {
  test('fails the task that it ran with an error of ours; the pool goes on', async () => {
    const pool = createPool({ threads: 1 });
    await pool.counter('o200k_base').count(words);
    const failing = pool.countAll('o200k_base', [[long]]);
    const waiting = pool.countAll('o200k_base', [[words]]);
    const [thread] = threads as [Worker];
    const failed = expect(failing).rejects.toMatchObject({
      code: 'internal_error',
      internalDetail: expect.stringContaining('worker thread'),
    });
    await thread.terminate();
    await failed;
    expect((await waiting)[0]).toBe(wordTokens);
    expect((await pool.countAll('o200k_base', [[words]]))[0]).toBe(wordTokens);
    await pool.close();
  });

  test('with nothing to do is replaced without a word', async () => {
    const pool = createPool({ threads: 1 });
    await pool.counter('o200k_base').count(words);
    const [thread] = threads as [Worker];
    thread.emit('error', new Error('out of memory'));
    await thread.terminate();
    expect((await pool.countAll('o200k_base', [[words]]))[0]).toBe(wordTokens);
    expect(threads).toHaveLength(2);
    await pool.close();
  });
});

describe('close', () => {
  test('waits for every call under way, in whichever thread it ends first', async () => {
    const pool = createPool({ threads: 2 });
    await Promise.all([1, 2, 3, 4].map(() => pool.countAll('o200k_base', [[words]])));
    const calls = [
      pool.countAll('o200k_base', [[long]]),
      pool.countAll('o200k_base', [[words]]),
      pool.countAll('o200k_base', Array(20_000).fill(['many small ones'])),
    ];
    const closed = pool.close();
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await closed;
  });

  test('refuses what comes later, is harmless when repeated and ends the threads', async () => {
    const pool = createPool({ threads: 2 });
    await pool.counter('o200k_base').count(words);
    const exits = threads.map((thread) => new Promise((resolve) => thread.once('exit', resolve)));
    expect(exits).toHaveLength(2);
    const closed = pool.close();
    expect(pool.close()).toBe(closed);
    for (const call of [
      pool.countAll('o200k_base', [['a']]),
      pool.digestAll([['a']]),
      pool.counter('o200k_base').cut('a', 1),
    ])
      await expect(call).rejects.toMatchObject({ code: 'shutting_down' });
    await closed;
    await Promise.all(exits);
  });
});

describe('the kernel’s memory', () => {
  const owners = () => new Int32Array(sharedKernel('o200k_base').memory.buffer as SharedArrayBuffer, 0, 256);

  test('has no region for a thread that has ended', async () => {
    const pool = createPool({ threads: 1 });
    await pool.counter('o200k_base').count(words);
    const [thread] = threads as [Worker];
    const owner = thread.threadId + 1;
    expect(owners()).toContain(owner);
    await thread.terminate();
    expect(owners()).not.toContain(owner);
    await pool.close();
  });
});

test('cancelled work frees its thread in the middle of an unbroken run, and does not end it', async () => {
  const pool = createPool({ threads: 1 });
  await pool.counter('o200k_base').count(words);
  const caller = new AbortController();
  const running = pool.countAll('o200k_base', [[letters(200_000_000)]], { signal: caller.signal });
  const next = pool.countAll('o200k_base', [[words]]);
  caller.abort();
  await expect(running).rejects.toMatchObject({ code: 'request_cancelled' });
  expect((await next)[0]).toBe(wordTokens);
  expect(threads).toHaveLength(1);
  await pool.close();
});
