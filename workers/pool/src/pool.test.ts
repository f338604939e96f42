import { createHash } from 'node:crypto';
import { getEventListeners } from 'node:events';
import {
  type Countable,
  type Ledger,
  loneColumns,
  PreflightError,
  startFit,
  TextRange,
} from '@preflight/core';
import { createPool, type Pool } from '@preflight/pool';
import { loadCounter } from '@preflight/tokenizer';
import { afterAll, describe, expect, test } from 'vitest';
import { digestBytes } from './tree-digest.js';

const MIB = 1024 * 1024;
const counter = await loadCounter('o200k_base');
const pools: Pool[] = [];

function startPool(options: Parameters<typeof createPool>[0] = {}): Pool {
  const pool = createPool({ threads: 2, ...options });
  pools.push(pool);
  return pool;
}

afterAll(() => Promise.all(pools.map((pool) => pool.close())));

const pool = startPool();

function range(text: string | Uint8Array): TextRange {
  const bytes = Buffer.from(text as string);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, 0, bytes.length);
}

/** Would hold a thread for ten seconds and more: no safe point to split at, and no fast way to count. */
const unsplittable = range('a'.repeat(16 * MIB));
/** Enough for a thread; less is counted on this one. */
const words = 'word '.repeat(2000);
const prose = 'The quick brown fox, aged 7, jumps over the lazy dog.\n'.repeat(12_000);

describe('base64', () => {
  test.each([0, 1, 2, 3, 196_607, 196_608, 196_609, 1_000_000])('of %d bytes', async (sizeBytes) => {
    const bytes = Buffer.from(Array.from({ length: sizeBytes }, (_, i) => (i * 7919) >> 3));
    const letters = await pool.base64(range(bytes));
    expect(Buffer.from(letters.bytes()).toString()).toBe(bytes.toString('base64'));
  });
});

describe('countAll', () => {
  test.each(['o200k_base', 'cl100k_base', 'gpt2'] as const)(
    'counts what %s counts in process',
    async (encoding) => {
      const texts = ['', 'hello world', '\ud800', '<|endoftext|>', '日本語 🎉'];
      const expected = await loadCounter(encoding);
      const tokens = await pool.countAll(
        encoding,
        texts.map((text) => [text]),
      );
      expect([...tokens]).toEqual(texts.map((text) => expected.count(text)));
    },
  );

  test('large and small together, each told as soon as it is known', async () => {
    const countables: Countable[] = [['a'], ['<', range(prose), '>'], ...Array(5000).fill(['b c'])];
    const counted = new Map<number, number>();
    const onCounted = (position: number, tokens: number) => counted.set(position, tokens);
    const tokens = await pool.countAll('o200k_base', countables, { onCounted });
    expect(tokens[1]).toBe(counter.count(`<${prose}>`));
    expect(tokens[5001]).toBe(2);
    expect([...counted].sort(([a], [b]) => a - b)).toEqual([...tokens.entries()]);
  });

  test('nothing', async () => {
    expect(await pool.countAll('o200k_base', [])).toEqual(new Int32Array(0));
  });

  test('a few kilobytes, without a thread', async () => {
    const countables: Countable[] = [['two words'], ['', range('ab'), 'c'], [{ text: 'YQ', as: 'base64' }]];
    const counted: [number, number][] = [];
    const before = pool.figures().countedBytes;
    const tokens = await pool.countAll('o200k_base', countables, {
      onTask: () => expect.unreachable(),
      onCounted: (...told) => counted.push(told),
    });
    const expected = ['two words', 'abc', 'YQ=='].map((text) => counter.count(text));
    expect([...tokens]).toEqual(expected);
    expect(counted).toEqual([...expected.entries()]);
    expect(pool.figures().countedBytes - before).toBe('two words'.length + 'abc'.length + 'YQ'.length);
  });

  test('what is small together, by threads if it is much', async () => {
    const tasks: unknown[] = [];
    const countables = Array<Countable>(1000).fill(['']);
    await pool.countAll('o200k_base', countables, { onTask: (task) => tasks.push(task) });
    expect(tasks).toHaveLength(1);
  });

  test('with tiktoken by threads only, however little', async () => {
    const slow = startPool({ threads: 1, engine: 'tiktoken' });
    const tasks: unknown[] = [];
    expect(await slow.countAll('gpt2', [['two words']], { onTask: (task) => tasks.push(task) })).toEqual(
      Int32Array.of(2),
    );
    expect(tasks).toHaveLength(1);
  });

  test('tells of every task how long it waited and ran', async () => {
    const tasks: { waitMs: number; runMs: number }[] = [];
    await pool.countAll('o200k_base', [[range(prose)]], { onTask: (task) => tasks.push(task) });
    expect(tasks.length).toBeGreaterThan(1);
    for (const { waitMs, runMs } of tasks) expect(Math.min(waitMs, runMs)).toBeGreaterThanOrEqual(0);
  });
});

describe('digestAll', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  test.each([prose, 'little'])('hashes what is counted', async (text) => {
    const countables: Countable[] = [['a', 'b'], [{ text: range('YQ'), as: 'base64' }], [range(text)]];
    expect(await pool.digestAll(countables)).toEqual([
      { hex: sha256('ab'), isPlain: true },
      { hex: sha256('YQ=='), isPlain: false },
      { hex: digestBytes(Buffer.from(text)), isPlain: true },
    ]);
  });

  test.each([prose, 'little'])('tells the position of what is no base64 in the list given', async (text) => {
    const countables: Countable[] = [[range(text)], ['x'], [{ text: range('@'), as: 'base64' }]];
    await expect(pool.digestAll(countables)).rejects.toMatchObject({
      code: 'invalid_base64',
      params: { item: 2 },
    });
  });
});

test('cutToFit makes the cuts that the steps ask for', async () => {
  const texts = Array.from({ length: 12 }, (_, i) => `message ${i}: ${'words and words. '.repeat(20)}`);
  const contentTokens = Int32Array.from(texts, (text) => counter.count(text));
  const ledger: Ledger = {
    contentTokens,
    attachmentTokens: new Int32Array(12),
    otherTokens: new Int32Array(12),
    ...loneColumns(12),
    isUser: Uint8Array.from(texts, (_, i) => (i % 2 === 0 ? 1 : 0)),
    protectedCount: 1,
    requestOverheadTokens: 0,
  };
  const options = {
    strategies: ['truncate'],
    contextWindowTokens: 900,
    maxOutputTokens: 100,
    minOutputTokens: 64,
    bufferTokens: 100,
    markerTokens: 7,
  } as const;
  const cuts = await pool.cutToFit(
    'o200k_base',
    ledger,
    options,
    (i) => [texts[i] as string],
    () => undefined,
  );
  const fit = startFit(ledger, options);
  for (const cut of cuts) {
    expect(fit.step).toMatchObject({ type: 'cut', index: cut.index });
    fit.next(cut);
  }
  expect(fit.step).toMatchObject({ type: 'decided', decision: { outcome: 'truncated' } });
});

describe('counter', () => {
  const threads = pool.counter('o200k_base');

  test.each(['', 'plain', 'lone \ud800 surrogate', '\ufeffmark', '日本語 🎉'.repeat(3000)])(
    'counts and cuts text %#',
    async (text) => {
      expect(await threads.count(text)).toBe(counter.count(text));
      for (const maxTokens of [0, 1, 5, 1_000_000])
        expect(await threads.cut(text, maxTokens)).toBe(counter.cut(text, maxTokens));
    },
  );

  test('counts and cuts bytes, well-formed or not', async () => {
    const bytes = Buffer.concat([Buffer.from(prose), Buffer.from([0xff, 0xc3]), Buffer.from('end')]);
    expect(await threads.count(bytes)).toBe(counter.count(bytes));
    expect(Buffer.from(await threads.cut(bytes, 9))).toEqual(Buffer.from(counter.cut(bytes, 9)));
    expect(await threads.cut(bytes, 10_000_000)).toBe(bytes);
  });
});

describe('cancelling', () => {
  test('rejects at once with the reason, and frees the thread', async () => {
    const one = startPool({ threads: 1 });
    await one.counter('o200k_base').count(words);
    const controller = new AbortController();
    const counting = one.countAll('o200k_base', [[unsplittable]], { signal: controller.signal });
    const next = one.countAll('o200k_base', [[words]]);
    const deadline = new PreflightError('deadline_exceeded');
    controller.abort(deadline);
    await expect(counting).rejects.toBe(deadline);
    const startMs = performance.now();
    expect((await next)[0]).toBe(counter.count(words));
    // Counting the rest of it would take many times as long as a new thread.
    expect(performance.now() - startMs).toBeLessThan(8000);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('before the call asks nothing of any thread', async () => {
    const onTask = () => expect.unreachable();
    for (const text of ['a', words]) {
      const call = pool.countAll('o200k_base', [[text]], { signal: AbortSignal.abort(), onTask });
      await expect(call).rejects.toMatchObject({ code: 'request_cancelled' });
    }
  });

  test('leaves other calls alone', async () => {
    const controller = new AbortController();
    const text: Countable = [range(prose)];
    const calls = [pool.countAll('o200k_base', [text], { signal: controller.signal })];
    for (let i = 0; i < 3; i++) calls.push(pool.countAll('o200k_base', [text]));
    controller.abort();
    const [cancelled, ...others] = await Promise.allSettled(calls);
    expect(cancelled).toMatchObject({ status: 'rejected', reason: { code: 'request_cancelled' } });
    for (const other of others) expect(other.status).toBe('fulfilled');
  });

  test('takes one listener for a call of many tasks', async () => {
    const { signal } = new AbortController();
    const counting = pool.countAll('o200k_base', [[range(prose.repeat(2))]], { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await counting;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

test('refuses work when too much waits, and goes on', async () => {
  const narrow = startPool({ threads: 1, maxQueuedTasks: 2 });
  const calls = Array.from({ length: 8 }, () => narrow.countAll('o200k_base', [[words]]));
  const results = await Promise.allSettled(calls);
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const result of refused) expect(result).toMatchObject({ reason: { code: 'overloaded' } });
  expect((await narrow.countAll('o200k_base', [[words]]))[0]).toBe(counter.count(words));
});
