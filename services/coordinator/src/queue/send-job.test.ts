import type { CountJob } from '@preflight/contracts';
import { PreflightError } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { createLog, Metrics } from '@preflight/runtime';
import { openStorage, type Storage, UnansweredError } from '@preflight/storage';
import { afterAll, expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
import { startRedisServer } from '../../../../test/harness/redis-server.js';
import { TcpProxy } from '../../../../test/harness/tcp-proxy.js';
import { eventually } from '../../../../test/harness/wait-for.js';
import { Coordinator } from '../coordinator.js';
import { range } from '../testing/fake-pool.js';
import { createJobConsumer } from './job-consumer.js';
import type { QueuedJob } from './queued-job.js';
import { QueuedWork } from './queued-work.js';

const pool = createPool({ threads: 1 });
afterAll(() => pool.close());
const never = new AbortController().signal;

/** What the callers' process and the coordinator's have, on one Redis that keeps what it is given. */
async function connected() {
  const redis = await startRedisServer({ appendOnly: true });
  const proxy = await TcpProxy.to(redis.port);
  const [caller, coordinator] = await Promise.all([open(proxy.url), open(redis.url)]);
  onTestFinished(async () => {
    await Promise.all([caller.close(), coordinator.close()]);
    await proxy.close();
    await redis.dispose();
  });
  return { redis, proxy, caller, coordinator };
}

function open(url: string): Promise<Storage<QueuedJob>> {
  return openStorage<QueuedJob>({ queueRedisUrl: url, onWarning: () => undefined });
}

async function startConsumer(storage: Storage<QueuedJob>) {
  const { countCache: cache, payloads } = storage;
  const coordinator = new Coordinator({ pool, cache, payloads });
  const perform = vi.spyOn(coordinator, 'perform');
  const lifetimes = { resultLifetimeMs: 60_000, deadlineMs: 60_000, stopGraceMs: 100 };
  const reports = { log: createLog('silent'), metrics: new Metrics() };
  await createJobConsumer({ coordinator, pool, storage, concurrency: 1, ...lifetimes, ...reports }).start();
  return perform;
}

/** Each with texts of its own, which nobody has counted. */
const counting = (...texts: string[]): CountJob => {
  const messages = texts.map((text) => ({ role: 'user', texts: [range(text)], attachments: [] }) as const);
  const conversation = { messages, protectedCount: 0, tools: [] };
  return { conversation, model: undefined, family: undefined, encoding: 'o200k_base', count: 'content' };
};
const small = counting('a small text that goes with the job');
const large = counting(...Array.from({ length: 200 }, (_, i) => `${i} `.repeat(2_000)));

const isUnanswered = (call: MockInstance) =>
  expect(call.mock.results[0]?.value).rejects.toBeInstanceOf(UnansweredError);

test.each([
  ['small', small],
  ['large', large],
])('a %s job that was lost on its way with Redis is sent again', async (_, job) => {
  const { redis, caller, coordinator } = await connected();
  const work = new QueuedWork({ pool, storage: caller, payloadLifetimeMs: 60_000 });
  const stored = vi.spyOn(caller.payloads, 'putOwn');
  redis.pause();
  const counted = work.count(job, never);
  await eventually(() => expect(stored).toHaveBeenCalled());
  await redis.kill();
  await isUnanswered(stored);
  await redis.start();
  const perform = await startConsumer(coordinator);
  expect((await counted).ledger.contentTokens.every((tokens) => tokens > 0)).toBe(true);
  expect(perform).toHaveBeenCalledTimes(1);
});

test('a job whose texts Redis took without being able to say so is sent again, and done once', async () => {
  const { proxy, caller, coordinator } = await connected();
  const work = new QueuedWork({ pool, storage: caller, payloadLifetimeMs: 60_000 });
  const stored = vi.spyOn(caller.payloads, 'putOwn');
  const added = vi.spyOn(caller.jobs, 'add');
  proxy.behaviour = 'stall';
  const counted = work.count(small, never);
  await eventually(() => expect(stored).toHaveBeenCalled());
  proxy.behaviour = 'refuse';
  await isUnanswered(stored);
  proxy.behaviour = 'pass';
  const perform = await startConsumer(coordinator);
  expect((await counted).ledger.contentTokens).toEqual(Int32Array.of(8));
  expect(perform).toHaveBeenCalledTimes(1);
  expect(new Set(added.mock.calls.map(([{ id }]) => id)).size).toBe(1);
});

test('a Redis that stays away is not waited for beyond the deadline of the request', async () => {
  const { redis, caller } = await connected();
  const work = new QueuedWork({ pool, storage: caller, payloadLifetimeMs: 60_000 });
  const stored = vi.spyOn(caller.payloads, 'putOwn');
  const deadline = new AbortController();
  redis.pause();
  const counted = work.count(small, deadline.signal);
  counted.catch(() => undefined);
  await eventually(() => expect(stored).toHaveBeenCalled());
  await redis.kill();
  await isUnanswered(stored);
  const timeIsUp = new PreflightError('deadline_exceeded');
  deadline.abort(timeIsUp);
  await expect(counted).rejects.toBe(timeIsUp);
});

test('a Redis that is away when a request comes is not waited for at all', async () => {
  const { redis, caller } = await connected();
  const work = new QueuedWork({ pool, storage: caller, payloadLifetimeMs: 60_000 });
  await redis.kill();
  await eventually(async () => expect(await caller.ready()).toBeDefined());
  const stored = vi.spyOn(caller.payloads, 'putOwn');
  await expect(work.count(small, never)).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(stored).toHaveBeenCalledTimes(1);
});
