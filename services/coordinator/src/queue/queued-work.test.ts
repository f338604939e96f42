import type { CountJob, PreflightJob } from '@preflight/contracts';
import { type Message, PreflightError } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { createLog, Metrics } from '@preflight/runtime';
import { openStorage, type Storage } from '@preflight/storage';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../test/harness/wait-for.js';
import { Coordinator } from '../coordinator.js';
import { range } from '../testing/fake-pool.js';
import { createJobConsumer } from './job-consumer.js';
import type { QueuedJob } from './queued-job.js';
import { QueuedWork } from './queued-work.js';

const pool = createPool({ threads: 1 });
afterAll(() => pool.close());
const never = new AbortController().signal;

let storage: Storage<QueuedJob>;
let work: QueuedWork;
beforeEach(async () => {
  storage = await openStorage<QueuedJob>({ jobLimits: { retryPauseMs: 1 }, onWarning: () => expect.fail() });
  work = new QueuedWork({ pool, storage, payloadLifetimeMs: 60_000 });
});
afterEach(() => storage.close());

/** Counts of its own, so that nobody finds there what is only known elsewhere. */
async function startConsumer(parts: { coordinator?: Coordinator; deadlineMs?: number } = {}) {
  const consumer = createJobConsumer({
    coordinator: new Coordinator({
      pool,
      cache: (await openStorage({ onWarning: () => undefined })).countCache,
      payloads: storage.payloads,
    }),
    pool,
    storage,
    concurrency: 2,
    resultLifetimeMs: 60_000,
    deadlineMs: 60_000,
    stopGraceMs: 100,
    log: createLog('silent'),
    metrics: new Metrics(),
    ...parts,
  });
  await consumer.start();
}

/** Does nothing but wait until it is told to stop. */
function stuck(): Coordinator {
  const perform = (_: unknown, signal: AbortSignal) =>
    new Promise((_resolve, reject) => {
      const stop = () => reject(signal.reason);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });
  return { perform } as unknown as Coordinator;
}
const failing = (error: Error) => ({ perform: vi.fn().mockRejectedValue(error) }) as unknown as Coordinator;

const long = range('a text that is stored apart. '.repeat(2_000));
const messages: Message[] = [
  { role: 'user', texts: [long], attachments: [] },
  { role: 'user', texts: ['and a small one'], attachments: [] },
];
const counting: CountJob = {
  conversation: { messages, protectedCount: 0, tools: [] },
  model: undefined,
  family: undefined,
  encoding: 'o200k_base',
  count: 'content',
};
const fitting: PreflightJob = {
  ...counting,
  fit: {
    strategies: ['truncate'],
    contextWindowTokens: 1_000,
    maxOutputTokens: 100,
    minOutputTokens: 64,
    bufferTokens: 100,
  },
};

async function expectNothingKept() {
  await work.close();
  expect((await storage.payloads.figures()).usedBytes).toBe(0);
}

/** As when the connection is away in the moment in which it is told. */
function loseWhatIsTold() {
  vi.spyOn(storage.results, 'expect').mockReturnValue({ arrival: new Promise(() => {}), forget: () => {} });
}

describe('over the queue', () => {
  test('the caller is told the result; if that is lost, it is read', async () => {
    await startConsumer();
    const get = vi.spyOn(storage.results, 'get');
    const told = await work.count(counting, never);
    expect(get).not.toHaveBeenCalled();
    loseWhatIsTold();
    const read = await work.count(counting, never);
    expect(get).toHaveBeenCalled();
    expect(read.ledger).toEqual(told.ledger);
  });

  test('the result is that of a coordinator here', async () => {
    await startConsumer();
    const here = new Coordinator({ pool, cache: storage.countCache, payloads: storage.payloads });
    const { queueMs, countMs, fitMs, ...given } = await work.preflight(fitting, never);
    const expected = await here.preflight(fitting, never);
    expect({ ...expected, ...given }).toEqual({ ...expected, cache: given.cache });
    expect(given.decision).toMatchObject({ outcome: 'truncated', cuts: [{ index: 0 }] });
    for (const figure of [queueMs, countMs, fitMs]) expect(figure).toBeGreaterThanOrEqual(0);
    await expectNothingKept();
  });

  test('small texts that were counted are known here afterwards', async () => {
    await startConsumer();
    const small = { ...counting, conversation: { ...counting.conversation, messages: messages.slice(1) } };
    expect((await work.count(small, never)).cache).toEqual({ hits: 0, misses: 1 });
    const add = vi.spyOn(storage.jobs, 'add');
    const again = await work.count(small, never);
    expect([again.cache, again.ledger.contentTokens]).toEqual([{ hits: 1, misses: 0 }, Int32Array.of(4)]);
    expect(add).not.toHaveBeenCalled();
  });

  test('large texts that are known only there are known here the next time', async () => {
    await startConsumer();
    expect((await work.count(counting, never)).cache).toEqual({ hits: 0, misses: 2 });
    const there = await work.count(counting, never);
    expect(there.cache).toEqual({ hits: 2, misses: 0 });
    const add = vi.spyOn(storage.jobs, 'add');
    expect((await work.count(counting, never)).ledger).toEqual(there.ledger);
    expect(add).not.toHaveBeenCalled();
  });

  test('a job says sizes', async () => {
    const add = vi.spyOn(storage.jobs, 'add');
    await startConsumer();
    await work.count(counting, never);
    expect(add.mock.calls[0]?.[0].data).toEqual({
      kind: 'count',
      answerTo: storage.results.address,
      sizes: { messages: 2, texts: 2, skeletonBytes: expect.any(Number), storedBytes: long.byteLength },
    });
  });

  test('what the store has is not sent again', async () => {
    await startConsumer();
    const put = vi.spyOn(storage.payloads, 'put');
    const other = work.count(counting, never);
    await other;
    // In memory, what is the job's own is put like the rest.
    expect(put).toHaveBeenCalledTimes(2);
    const digest = put.mock.calls[0]?.[0] as string;
    await storage.payloads.put(digest, long.bytes(), { lifetimeMs: 60_000 });
    put.mockClear();
    await work.preflight(fitting, never);
    expect(put.mock.calls.map(([key]) => key)).not.toContain(digest);
  });
});

describe('faults', () => {
  test('that cannot pass end the job at once, and come as they were', async () => {
    const coordinator = failing(new PreflightError('unknown_encoding', { params: { encoding: 'x' } }));
    await startConsumer({ coordinator });
    await expect(work.count(counting, never)).rejects.toMatchObject({
      code: 'unknown_encoding',
      params: { encoding: 'x' },
    });
    expect(coordinator.perform).toHaveBeenCalledTimes(1);
    await expectNothingKept();
  });

  test('that may pass are tried again, a few times', async () => {
    const coordinator = failing(new PreflightError('overloaded'));
    await startConsumer({ coordinator });
    await expect(work.count(counting, never)).rejects.toMatchObject({ code: 'overloaded' });
    expect(coordinator.perform).toHaveBeenCalledTimes(5);
  });

  test('of the store reach the caller, and nothing is queued', async () => {
    const add = vi.spyOn(storage.jobs, 'add');
    vi.spyOn(storage.payloads, 'lease').mockRejectedValue(new PreflightError('storage_unavailable'));
    await expect(work.count(counting, never)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(add).not.toHaveBeenCalled();
  });

  test('of the store, when the job was sent together with what it needs: nothing stays in the queue', async () => {
    const refused = new PreflightError('overloaded');
    vi.spyOn(storage.payloads, 'putOwn').mockRejectedValue(refused);
    await expect(work.count(counting, never)).rejects.toBe(refused);
    expect(await storage.jobs.figures()).toMatchObject({ waiting: 0, active: 0 });
    await expectNothingKept();
  });

  test('of the queue reach the caller, and nothing is kept', async () => {
    vi.spyOn(storage.jobs, 'add').mockRejectedValue(new PreflightError('overloaded'));
    await expect(work.count(counting, never)).rejects.toMatchObject({ code: 'overloaded' });
    await expectNothingKept();
  });

  const away = new PreflightError('storage_unavailable');

  test('a queue that could not say that it has taken the job is asked again, and takes it once', async () => {
    await startConsumer();
    const add = storage.jobs.add.bind(storage.jobs);
    const adding = vi.spyOn(storage.jobs, 'add').mockImplementationOnce(async (job) => {
      await add(job);
      throw away;
    });
    expect((await work.count(counting, never)).ledger.contentTokens).toHaveLength(2);
    expect(adding.mock.calls.map(([{ isNew }]) => isNew)).toEqual([true, false]);
    expect(new Set(adding.mock.calls.map(([{ id }]) => id)).size).toBe(1);
    await expectNothingKept();
  });

  test('a result that cannot be read at first is read later', async () => {
    await startConsumer();
    loseWhatIsTold();
    const get = vi.spyOn(storage.results, 'get').mockRejectedValueOnce(away).mockRejectedValueOnce(away);
    expect((await work.count(counting, never)).ledger.contentTokens).toHaveLength(2);
    expect(get).toHaveBeenCalledTimes(3);
    await expectNothingKept();
  });

  test('a caller who leaves does not wait for the store', async () => {
    await startConsumer();
    loseWhatIsTold();
    const caller = new AbortController();
    const deadline = new PreflightError('deadline_exceeded');
    vi.spyOn(storage.results, 'get').mockImplementation(async () => {
      caller.abort(deadline);
      throw away;
    });
    await expect(work.count(counting, caller.signal)).rejects.toBe(deadline);
    await expectNothingKept();
  });

  test('a result that is gone is said to be', async () => {
    await startConsumer();
    loseWhatIsTold();
    vi.spyOn(storage.results, 'get').mockResolvedValue(undefined);
    await expect(work.count(counting, never)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});

describe('a job that nobody wants any more', () => {
  test.each(['waits', 'runs'])('is cancelled while it %s', async (state) => {
    if (state === 'runs') await startConsumer({ coordinator: stuck() });
    const cancel = vi.spyOn(storage.jobs, 'cancel');
    const caller = new AbortController();
    const counted = work.count(counting, caller.signal);
    counted.catch(() => undefined);
    const figure = state === 'runs' ? 'active' : 'waiting';
    await eventually(async () => expect((await storage.jobs.figures())[figure]).toBe(1));
    const deadline = new PreflightError('deadline_exceeded');
    caller.abort(deadline);
    await expect(counted).rejects.toBe(deadline);
    await expectNothingKept();
    const id = cancel.mock.calls[0]?.[0] as string;
    await eventually(async () => expect(await storage.jobs.state(id)).toEqual({ status: 'cancelled' }));
  });

  test('because its API is gone is given up when no caller can wait for it', async () => {
    await startConsumer({ coordinator: stuck(), deadlineMs: 20 });
    await expect(work.count(counting, never)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  test('is not even queued if its caller leaves before', async () => {
    const add = vi.spyOn(storage.jobs, 'add');
    await expect(
      work.count(counting, AbortSignal.abort(new PreflightError('request_cancelled'))),
    ).rejects.toThrow();
    expect(add).not.toHaveBeenCalled();
  });
});
