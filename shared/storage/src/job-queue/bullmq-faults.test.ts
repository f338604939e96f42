import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RedisServer, startRedisServer } from '../../../../test/harness/redis-server.js';
import { TcpProxy } from '../../../../test/harness/tcp-proxy.js';
import { waitFor } from '../../../../test/harness/wait-for.js';
import { connectRedis } from '../redis/connect-redis.js';
import { emptyRedis } from '../redis/empty-redis.contract.js';
import { BullMqJobQueue, type BullMqJobQueueOptions } from './bullmq-job-queue.js';
import type { FinalJobState } from './job-queue.js';

interface TestWork {
  readonly what: 'finish' | 'work' | 'kill' | 'wait';
  readonly ms?: number;
}

type Told = Readonly<Record<string, unknown>>;

const TIMING = { lockMs: 1_000, stalledCheckMs: 250, maxKills: 4 };

let server: RedisServer;
let queue: BullMqJobQueue<TestWork>;
let children: Child[];
beforeAll(async () => {
  server = await startRedisServer({ appendOnly: true });
});
afterAll(() => server.dispose());
beforeEach(async () => {
  (await emptyRedis(server)).disconnect();
  children = [];
  queue = await open();
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.end('SIGKILL')));
  await queue.close();
});

async function open(redisUrl = server.url): Promise<BullMqJobQueue<TestWork>> {
  return openQueue({ redisUrl, timing: TIMING, limits: { retryPauseMs: 20 } });
}

async function openQueue(options: Omit<BullMqJobQueueOptions, 'redis'>): Promise<BullMqJobQueue<TestWork>> {
  const redis = await connectRedis(options.redisUrl, { commandTimeoutMs: 2_000 });
  const opened = await BullMqJobQueue.open<TestWork>({ redis, ...options });
  await opened.ready(10_000);
  return opened;
}

/** A consumer in a process of its own, and what it told. */
class Child {
  readonly told: Told[] = [];
  readonly process: ChildProcess;

  constructor(concurrency: number) {
    const script = new URL('./bullmq-consumer.child.js', import.meta.url);
    const parameters = [server.url, JSON.stringify(TIMING), String(concurrency)];
    this.process = fork(script, parameters, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
    this.process.on('message', (message) => this.told.push(message as Told));
  }

  tells(part: Told): Promise<Told> {
    const matches = (message: Told) => Object.entries(part).every(([name, value]) => message[name] === value);
    return waitFor(() => this.told.find(matches), { what: JSON.stringify(part) });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill(signal);
    await exit;
  }
}

async function startChild(concurrency = 4): Promise<Child> {
  const child = new Child(concurrency);
  children.push(child);
  await child.tells({ ready: true });
  return child;
}

const final = (id: string): Promise<FinalJobState | undefined> =>
  queue.waitUntilFinal(id, AbortSignal.timeout(50_000));

describe('a consumer that is lost', () => {
  test('killed: another one does its jobs, and no attempt is charged', async () => {
    const victim = await startChild();
    await queue.add({ id: 'job-a', data: { what: 'wait' } });
    await victim.tells({ started: 'job-a' });
    await victim.end('SIGKILL');
    const attempts: number[] = [];
    await queue.consume(async ({ attempt }) => void attempts.push(attempt), { concurrency: 1 }).start();
    expect(await final('job-a')).toEqual({ status: 'completed' });
    expect(attempts).toEqual([1]);
  });

  test('stopped for longer than its lock: the job is done by another one, and the sleeper changes nothing', async () => {
    const sleeper = await startChild();
    await queue.add({ id: 'job-a', data: { what: 'wait' } });
    await sleeper.tells({ started: 'job-a' });
    sleeper.process.kill('SIGSTOP');
    const consumer = queue.consume(async () => {}, { concurrency: 1 });
    await consumer.start();
    expect(await final('job-a')).toEqual({ status: 'completed' });
    await consumer.stop();
    sleeper.process.kill('SIGCONT');
    // It learns that it has lost the job, and stops working for nothing.
    await sleeper.tells({ aborted: 'job-a', code: 'storage_unavailable' });
    await queue.add({ id: 'job-b', data: { what: 'finish' } });
    await sleeper.tells({ finished: 'job-b' });
    expect(await queue.state('job-a')).toEqual({ status: 'completed' });
    expect(await queue.figures()).toMatchObject({ waiting: 0, delayed: 0, failed: 0 });
  });

  test('by a job that kills it, again and again: that one is poisoned, its neighbours are not', async () => {
    const waits = [final('killer'), final('neighbour-1'), final('neighbour-2')];
    await queue.add({ id: 'killer', data: { what: 'kill', ms: 60 } });
    await queue.add({ id: 'neighbour-1', data: { what: 'work', ms: 400 } });
    await queue.add({ id: 'neighbour-2', data: { what: 'work', ms: 400 } });
    let isOver = false;
    let kills = 0;
    const keepOneAlive = async () => {
      while (!isOver) {
        const child = await startChild();
        await once(child.process, 'exit');
        kills += 1;
      }
    };
    const keeping = keepOneAlive();
    const [killer, ...neighbours] = await Promise.all(waits);
    expect(killer).toMatchObject({ status: 'failed', fault: { code: 'job_poisoned', params: { kills: 4 } } });
    expect(neighbours).toEqual([{ status: 'completed' }, { status: 'completed' }]);
    expect(kills).toBe(4);
    isOver = true;
    await children.at(-1)?.end('SIGKILL');
    await keeping;
  });
});

describe('several processes', () => {
  test('a job is cancelled from one while another one runs it', async () => {
    const child = await startChild();
    await queue.add({ id: 'job-a', data: { what: 'wait' } });
    await child.tells({ started: 'job-a' });
    expect(await queue.cancel('job-a')).toBe('requested');
    expect(await final('job-a')).toEqual({ status: 'cancelled' });
    await child.tells({ aborted: 'job-a', code: 'request_cancelled' });
  });

  test('a job that was cancelled and then lost with its consumer is not begun again', async () => {
    const child = await startChild();
    await queue.add({ id: 'job-a', data: { what: 'wait' } });
    await child.tells({ started: 'job-a' });
    child.process.kill('SIGSTOP');
    await queue.cancel('job-a');
    const seen: string[] = [];
    await queue.consume(async ({ id }) => void seen.push(id), { concurrency: 1 }).start();
    expect(await final('job-a')).toEqual({ status: 'cancelled' });
    expect(seen).toEqual([]);
  });

  test('share the work, and hear of what others did', async () => {
    const [one, two] = [await startChild(), await startChild()];
    const ids = Array.from({ length: 40 }, (_, index) => `job-${index}`);
    const ends = ids.map(final);
    await Promise.all(ids.map((id) => queue.add({ id, data: { what: 'work', ms: 250 } })));
    expect(await Promise.all(ends)).toEqual(ids.map(() => ({ status: 'completed' })));
    const finished = ({ told }: Child) => told.filter((message) => 'finished' in message).length;
    await waitFor(() => finished(one) + finished(two) >= 40, { what: '40 jobs that are told of' });
    expect(finished(one) + finished(two)).toBe(40);
    expect(Math.min(finished(one), finished(two))).toBeGreaterThan(0);
  });
});

describe('Redis', () => {
  test('crashes and comes back with its file: every accepted job is done', async () => {
    await queue.consume(async () => {}, { concurrency: 4 }).start();
    const ids = Array.from({ length: 300 }, (_, index) => `job-${index}`);
    const accepted: string[] = [];
    const adding = ids.map(async (id) => {
      await queue.add({ id, data: { what: 'finish' } });
      accepted.push(id);
    });
    const settled = Promise.allSettled(adding);
    await waitFor(() => accepted.length > 0);
    await server.restart();
    await settled;
    expect(await queue.ready(10_000)).toBe(true);
    expect(await Promise.all(accepted.map(final))).toEqual(accepted.map(() => ({ status: 'completed' })));
    // Those that were refused may be there or not; adding again makes sure.
    await Promise.all(ids.map((id) => queue.add({ id, data: { what: 'finish' } })));
    expect(await Promise.all(ids.map(final))).toEqual(ids.map(() => ({ status: 'completed' })));
  });

  test('is full when a job ends: the job is completed all the same, and makes room', async () => {
    const redis = await emptyRedis(server);
    await queue.add({ id: 'job-a', data: { what: 'finish' } });
    const waiting = final('job-a');
    const consumer = queue.consume(
      async () => {
        await redis.config('SET', 'maxmemory', 1);
      },
      { concurrency: 1 },
    );
    await consumer.start();
    expect(await waiting).toEqual({ status: 'completed' });
    await redis.config('SET', 'maxmemory', 0);
    redis.disconnect();
  });

  test('is full while jobs wait: consumers ask now and then, not all the time, and go on when there is room', async () => {
    const redis = await emptyRedis(server);
    const errors: number[] = [];
    const full = await openQueue({
      redisUrl: server.url,
      timing: TIMING,
      onError: () => void errors.push(performance.now()),
    });
    await full.add({ id: 'job-a', data: { what: 'finish' } });
    await redis.config('SET', 'maxmemory', 1);
    await full.consume(async () => {}, { concurrency: 4 }).start();
    await waitFor(() => errors.length >= 10);
    expect((errors[9] as number) - (errors[0] as number)).toBeGreaterThan(1_000);
    await redis.config('SET', 'maxmemory', 0);
    expect(await full.waitUntilFinal('job-a', AbortSignal.timeout(20_000))).toEqual({ status: 'completed' });
    await full.close();
    redis.disconnect();
  });

  test('forgets a job that is waited for: the waiter is not left hanging', async () => {
    await queue.add({ id: 'job-a', data: { what: 'finish' } });
    const waiting = final('job-a');
    (await emptyRedis(server)).disconnect();
    expect(await waiting).toBeUndefined();
  });

  test('lost its events: the end is seen all the same', async () => {
    const redis = await emptyRedis(server);
    let end = () => {};
    const isTold = new Promise<void>((resolve) => {
      end = resolve;
    });
    await queue.consume(() => isTold, { concurrency: 1 }).start();
    await queue.add({ id: 'job-a', data: { what: 'finish' } });
    const proxy = await TcpProxy.to(server.port);
    const deaf = await open(proxy.url);
    const waiting = deaf.waitUntilFinal('job-a', AbortSignal.timeout(50_000));
    proxy.behaviour = 'refuse';
    const ending = final('job-a');
    end();
    expect(await ending).toEqual({ status: 'completed' });
    await redis.del('{preflight}:jobs:events');
    proxy.behaviour = 'pass';
    expect(await waiting).toEqual({ status: 'completed' });
    await deaf.close();
    await proxy.close();
    redis.disconnect();
  });

  test('holds little: no result, few events, keys of one slot, and all of it bounded', async () => {
    const redis = await emptyRedis(server);
    const small = await openQueue({ redisUrl: server.url, limits: { rememberCount: 50 } });
    await small.consume(async () => {}, { concurrency: 8 }).start();
    const ids = Array.from({ length: 1_000 }, (_, index) => `job-${index}`);
    const signal = AbortSignal.timeout(30_000);
    for (let i = 0; i < ids.length; i += 100) {
      const batch = ids.slice(i, i + 100);
      const ends = batch.map((id) => small.waitUntilFinal(id, signal));
      await Promise.all(batch.map((id) => small.add({ id, data: { what: 'finish' } })));
      await Promise.all(ends);
    }
    expect(await redis.hget('{preflight}:jobs:job-999', 'returnvalue')).toBe('null');
    expect(await redis.xlen('{preflight}:jobs:events')).toBeLessThan(1_300);
    const keys = await redis.keys('*');
    expect(keys.length).toBeLessThan(70);
    for (const key of keys) expect(key).toMatch(/^\{preflight\}:/);
    await small.close();
    redis.disconnect();
  });
});
