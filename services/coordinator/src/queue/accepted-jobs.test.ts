import type { CountJob, SubmittedWork } from '@preflight/contracts';
import { PreflightError, toFault } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { createLog, Metrics } from '@preflight/runtime';
import { openStorage, type Storage, UnansweredError } from '@preflight/storage';
import { afterAll, afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { eventually } from '../../../../test/harness/wait-for.js';
import { Coordinator } from '../coordinator.js';
import { range } from '../testing/fake-pool.js';
import { AcceptedJobs } from './accepted-jobs.js';
import { createJobConsumer } from './job-consumer.js';
import { encodeEnd } from './job-end.js';
import type { QueuedJob } from './queued-job.js';

const pool = createPool({ threads: 1 });
afterAll(() => pool.close());
const never = new AbortController().signal;
const LIFETIME_MS = 60_000;

let storage: Storage<QueuedJob>;
let jobs: AcceptedJobs;
beforeEach(async () => {
  storage = await openStorage<QueuedJob>({ jobLimits: { retryPauseMs: 1 }, onWarning: () => expect.fail() });
  jobs = new AcceptedJobs({ pool, storage, payloadLifetimeMs: LIFETIME_MS, resultLifetimeMs: LIFETIME_MS });
});
afterEach(() => storage.close());

async function startConsumer(
  parts: { coordinator?: Coordinator; deadlineMs?: number; resultLifetimeMs?: number } = {},
) {
  const consumer = createJobConsumer({
    coordinator: new Coordinator({ pool, cache: storage.countCache, payloads: storage.payloads }),
    pool,
    storage,
    concurrency: 2,
    resultLifetimeMs: LIFETIME_MS,
    deadlineMs: LIFETIME_MS,
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
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  return { perform } as unknown as Coordinator;
}
const failing = (error: Error) => ({ perform: vi.fn().mockRejectedValue(error) }) as unknown as Coordinator;

const long = range('a text that is stored apart. '.repeat(2_000));
const counting: CountJob = {
  conversation: {
    messages: [{ role: 'user', texts: [long], attachments: [] }],
    protectedCount: 0,
    tools: [],
  },
  model: undefined,
  family: undefined,
  encoding: 'o200k_base',
  count: 'content',
};
const work = (text = 'a body', idempotencyKey?: string): SubmittedWork => ({
  job: counting,
  body: Buffer.from(text),
  idempotencyKey,
});
const usedBytes = async () => (await storage.payloads.figures()).usedBytes;

async function finalView(id: string) {
  await jobs.waitUntilFinal(id, AbortSignal.timeout(20_000));
  return jobs.find(id);
}

describe('a job', () => {
  test('waits, is done, and keeps its result and its body, and nothing else', async () => {
    const id = await jobs.submit(work(), never);
    expect(await jobs.find(id)).toEqual({ status: 'waiting', attempt: 1 });
    expect(await usedBytes()).toBeGreaterThan(long.byteLength);
    await startConsumer();
    const view = await finalView(id);
    if (view?.status !== 'completed') return expect.fail(JSON.stringify(view));
    const { ledger } = await new Coordinator({
      pool,
      cache: storage.countCache,
      payloads: storage.payloads,
    }).count(counting, never);
    expect(view).toMatchObject({ kind: 'count', result: { ledger }, body: { bytes: 6 } });
    expect(Buffer.from((await jobs.readBody(view.body)) ?? []).toString()).toBe('a body');
    await eventually(async () => expect(await usedBytes()).toBe(6));
  });

  test('carries no content', async () => {
    const add = vi.spyOn(storage.jobs, 'add');
    const put = vi.spyOn(storage.results, 'putOnce');
    await startConsumer();
    await finalView(await jobs.submit(work('a very secret body'), never));
    const written = JSON.stringify([add.mock.calls, put.mock.calls.map(([, bytes]) => String(bytes))]);
    expect(written).not.toMatch(/secret|stored apart/);
  });

  test('that is unknown has no view', async () => {
    expect(await jobs.find('unknown-id')).toBeUndefined();
  });

  test('expires after its end', async () => {
    await startConsumer({ resultLifetimeMs: 1 });
    const id = await jobs.submit(work(), never);
    await eventually(async () => expect(await jobs.find(id)).toEqual({ status: 'expired' }));
    await eventually(async () => expect(await usedBytes()).toBe(0));
  });

  test('tells those who watch', async () => {
    const id = await jobs.submit(work(), never);
    const onChange = vi.fn();
    const unwatch = jobs.watch(id, onChange);
    await eventually(() => expect(onChange).toHaveBeenCalledTimes(1));
    await startConsumer();
    await finalView(id);
    expect(onChange.mock.calls.length).toBeGreaterThan(1);
    unwatch();
  });
});

test.each(['put', 'putOwn', 'add'] as const)(
  'a job is taken once, though the store could not say so (%s)',
  async (call) => {
    const store = call === 'add' ? storage.jobs : storage.payloads;
    const made = store[call as never] as (...given: unknown[]) => Promise<unknown>;
    const calls = vi.spyOn(store, call as never) as unknown as MockInstance<typeof made>;
    calls.mockImplementationOnce(async (...given) => {
      await made.apply(store, given);
      throw new UnansweredError('no answer');
    });
    const id = await jobs.submit(work('a'), never);
    expect((await storage.jobs.figures()).waiting).toBe(1);
    await startConsumer();
    expect(await finalView(id)).toMatchObject({ status: 'completed' });
  },
);

describe('a job that is not done', () => {
  test.each(['waits', 'runs'])('because it was cancelled while it %s', async (state) => {
    if (state === 'runs') await startConsumer({ coordinator: stuck() });
    const id = await jobs.submit(work(), never);
    const status = state === 'runs' ? 'active' : 'waiting';
    await eventually(async () => expect(await jobs.find(id)).toMatchObject({ status }));
    await jobs.cancel(id);
    await eventually(async () => expect(await jobs.find(id)).toEqual({ status: 'cancelled' }));
    await eventually(async () => expect(await usedBytes()).toBe(0));
    // Whoever thought it his own comes too late.
    const late = { kind: 'count', fault: toFault(new Error('late')) } as const;
    expect(await storage.results.putOnce(id, encodeEnd(late), LIFETIME_MS)).toBe(false);
  });

  test('because its time is over', async () => {
    await startConsumer({ coordinator: stuck(), deadlineMs: 20 });
    const view = await finalView(await jobs.submit(work(), never));
    expect(view).toMatchObject({ status: 'failed', fault: { code: 'deadline_exceeded' } });
    await eventually(async () => expect(await usedBytes()).toBe(0));
  });

  test.each([
    ['invalid_base64', 1],
    ['overloaded', 5],
  ] as const)('because of %s, after %d attempts', async (code, attempts) => {
    const coordinator = failing(new PreflightError(code));
    await startConsumer({ coordinator });
    const view = await finalView(await jobs.submit(work(), never));
    expect(view).toMatchObject({ status: 'failed', fault: { code } });
    expect(coordinator.perform).toHaveBeenCalledTimes(attempts);
    await eventually(async () => expect(await usedBytes()).toBe(0));
  });

  test('because its texts were lost', async () => {
    vi.spyOn(storage.payloads, 'get').mockResolvedValue(undefined);
    await startConsumer();
    const view = await finalView(await jobs.submit(work(), never));
    expect(view).toMatchObject({ status: 'failed', fault: { code: 'deadline_exceeded' } });
  });

  test('because it was not taken: nothing is kept', async () => {
    vi.spyOn(storage.jobs, 'add').mockRejectedValue(new PreflightError('overloaded'));
    await expect(jobs.submit(work(), never)).rejects.toMatchObject({ code: 'overloaded' });
    expect(await usedBytes()).toBe(0);
  });

  test('because its caller left before it was taken', async () => {
    const add = vi.spyOn(storage.jobs, 'add');
    const left = AbortSignal.abort(new PreflightError('request_cancelled'));
    await expect(jobs.submit(work(), left)).rejects.toMatchObject({ code: 'request_cancelled' });
    expect(add).not.toHaveBeenCalled();
    expect(await usedBytes()).toBe(0);
  });
});

describe('an idempotency key', () => {
  test('makes one job of equal requests, before, while and after it is done', async () => {
    const add = vi.spyOn(storage.jobs, 'add');
    const together = await Promise.all(Array.from({ length: 8 }, () => jobs.submit(work('a', 'key'), never)));
    expect(new Set(together).size).toBe(1);
    await startConsumer();
    const [id] = together as [string];
    await finalView(id);
    add.mockClear();
    expect(await jobs.submit(work('a', 'key'), never)).toBe(id);
    expect(add).not.toHaveBeenCalled();
  });

  test.each([
    ['another body', work('b', 'key')],
    [
      'the same body for another call',
      {
        ...work('a', 'key'),
        job: {
          ...counting,
          fit: {
            strategies: ['truncate'],
            contextWindowTokens: 9,
            maxOutputTokens: 1,
            minOutputTokens: 1,
            bufferTokens: 0,
          },
        },
      } as const,
    ],
  ])('refuses %s', async (_, other) => {
    await jobs.submit(work('a', 'key'), never);
    await expect(jobs.submit(other, never)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('of a job that did not come into the queue is used again', async () => {
    const add = vi.spyOn(storage.jobs, 'add').mockRejectedValueOnce(new PreflightError('overloaded'));
    await expect(jobs.submit(work('a', 'key'), never)).rejects.toMatchObject({ code: 'overloaded' });
    const id = await jobs.submit(work('a', 'key'), never);
    expect(add.mock.calls.map(([job]) => job.id)).toEqual([id, id]);
    await startConsumer();
    expect(await finalView(id)).toMatchObject({ status: 'completed' });
  });

  test('is not written down', async () => {
    const put = vi.spyOn(storage.claims, 'putOnce');
    await jobs.submit(work('a', 'secret-key'), never);
    expect(JSON.stringify(put.mock.calls)).not.toContain('secret-key');
  });
});
