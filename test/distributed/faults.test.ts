import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DistributedWorld } from '../harness/distributed.js';
import { get, type HttpAnswer, post } from '../harness/http.js';
import { expectProblem } from '../harness/problems.js';
import { seededBytes } from '../harness/seeded-texts.js';
import type { ServerProcess } from '../harness/server-process.js';
import { waitFor } from '../harness/wait-for.js';

/** Lost jobs are found within 2 s, and counting takes seconds. */
const SLOW = { PREFLIGHT_JOB_LOCK_MS: '1000', PREFLIGHT_ENGINE: 'tiktoken', PREFLIGHT_LOG_LEVEL: 'debug' };

const start = (settings: Record<string, string> = {}) => DistributedWorld.start(onTestFinished, settings);

let texts = 0;
/** A text that nobody has counted, of so many characters of base64. */
const newText = (characters: number) => ({
  encoding: 'o200k_base',
  text: seededBytes(Math.ceil(characters * 0.75), ++texts).toString('base64'),
});
const count = (api: ServerProcess, payload: object, signal?: AbortSignal): Promise<HttpAnswer> => {
  const answer = post(api.url, '/v1/count', payload, signal ? { signal } : {});
  answer.catch(() => undefined);
  return answer;
};
/** As far as the log has come, which is written a little later. */
const jobsDone = ({ output }: ServerProcess) => output().split('"job done"').length - 1;
/** What the log says of a request, once it does. */
const logOf = ({ output }: ServerProcess, requestId: string): { internal?: string } | undefined => {
  const line = output()
    .split('\n')
    .find((each) => each.includes(requestId) && each.endsWith('}'));
  return line === undefined ? undefined : JSON.parse(line);
};
const isRunning = (world: DistributedWorld) =>
  waitFor(async () => (await world.keys('jobs:active')).length === 1, { what: 'a running job' });
const expectNothingLeft = (world: DistributedWorld) =>
  waitFor(
    async () => {
      const names = await Promise.all(['payload:', 'holders:', 'leases:'].map((start) => world.keys(start)));
      return names.flat().length === 0;
    },
    { what: 'an empty payload store' },
  );

describe('a coordinator that is lost in the middle of a job', () => {
  test('by SIGKILL: another one does the job, and it is answered once', async () => {
    const world = await start(SLOW);
    const [api, lost] = await Promise.all([world.startApi(), world.startCoordinator()]);
    const answer = count(api, newText(1_500_000));
    await isRunning(world);
    lost.child.kill('SIGKILL');
    const other = await world.startCoordinator();
    const { status, body, text } = await answer;
    expect([status, body.tokens > 500_000], text).toEqual([200, true]);
    await waitFor(() => jobsDone(other) === 1);
    expect(jobsDone(lost)).toBe(0);
    expect(await world.keys('result:')).toHaveLength(1);
    await expectNothingLeft(world);
  });

  test('by SIGTERM: the job goes back to the queue, and the process ends by itself with 0', async () => {
    // With this lock nobody would find a lost job before the test is over.
    const world = await start({ ...SLOW, PREFLIGHT_JOB_LOCK_MS: '600000' });
    const [api, stopped] = await Promise.all([
      world.startApi(),
      world.startCoordinator({ PREFLIGHT_DRAIN_MS: '3000' }),
    ]);
    const answer = count(api, newText(6_000_000));
    await isRunning(world);
    const other = await world.startCoordinator();
    expect(await stopped.stop()).toBe(0);
    expect((await answer).status).toBe(200);
    await waitFor(() => jobsDone(other) === 1);
    expect(jobsDone(stopped)).toBe(0);
  });
});

test('two coordinators share the work', async () => {
  const world = await start({ ...SLOW, PREFLIGHT_CONCURRENCY: '1' });
  const [api, ...coordinators] = await Promise.all([
    world.startApi(),
    world.startCoordinator(),
    world.startCoordinator(),
  ]);
  const answers = await Promise.all(Array.from({ length: 12 }, () => count(api, newText(400_000))));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const allDone = () => coordinators.map(jobsDone).reduce((sum, jobs) => sum + jobs, 0);
  await waitFor(() => allDone() === 12, { state: () => String(allDone()) });
  expect(Math.min(...coordinators.map(jobsDone))).toBeGreaterThan(0);
  await expectNothingLeft(world);
});

describe('a caller who does not wait', () => {
  test('has its job cancelled while it runs', async () => {
    const world = await start(SLOW);
    const [api, coordinator] = await Promise.all([world.startApi(), world.startCoordinator()]);
    const leaving = new AbortController();
    const answer = count(api, newText(6_000_000), leaving.signal);
    await isRunning(world);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await waitFor(async () => (await world.keys('jobs:active')).length === 0, { timeoutMs: 3_000 });
    await expectNothingLeft(world);
    expect(jobsDone(coordinator)).toBe(0);
    expect((await count(api, newText(1_000))).status).toBe(200);
    expect(await world.keys('result:')).toHaveLength(1);
  });

  test('has its job cancelled while it is in the queue, by a deadline too', async () => {
    const world = await start();
    const [api, hasty] = await Promise.all([
      world.startApi(),
      // Long enough for the job to be in the queue by then.
      world.startApi({ PREFLIGHT_DEADLINE_MS: '2500' }),
    ]);
    const leaving = new AbortController();
    const left = count(api, newText(50_000), leaving.signal);
    await waitFor(async () => (await world.keys('jobs:wait')).length === 1);
    const overdue = count(hasty, newText(50_000));
    leaving.abort();
    await expect(left).rejects.toThrow();
    expectProblem(await overdue, 504, 'deadline_exceeded');
    await waitFor(async () => (await world.keys('cancelled:')).length === 2);
    await expectNothingLeft(world);
    expect(await world.keys('jobs:wait')).toEqual([]);
  });
});

describe('Redis', () => {
  test('is away: 503 at once, red health, and all is well when it is back', async () => {
    const world = await start();
    const [api, coordinator] = await Promise.all([world.startApi(), world.startCoordinator()]);
    expect((await count(api, newText(2_000))).status).toBe(200);

    await world.queueRedis.kill();
    await waitFor(async () => (await get(api.url, '/health/ready')).status === 503);
    const refused = await count(api, newText(2_000));
    expectProblem(refused, 503, 'storage_unavailable');
    // A command that waited for an answer would have failed by its timeout.
    const logged = await waitFor(() => logOf(api, refused.body.request_id), { what: 'a line in the log' });
    expect(logged.internal).toMatch(/^Redis: /);
    expect(logged.internal).not.toMatch(/timed? ?out/i);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    for (const { url } of [api, coordinator]) {
      expectProblem(await get(url, '/health/ready'), 503, 'storage_unavailable');
      expect((await get(url, '/health/live')).status).toBe(200);
    }

    await world.queueRedis.start();
    for (const { url } of [api, coordinator])
      await waitFor(async () => (await get(url, '/health/ready')).status === 200);
    expect((await count(api, newText(2_000))).status).toBe(200);
  });

  test('is restarted in the middle of a job: the answer comes all the same', async () => {
    const world = await DistributedWorld.start(onTestFinished, SLOW, { appendOnly: true });
    const [api] = await Promise.all([world.startApi(), world.startCoordinator()]);
    const answer = count(api, newText(1_500_000));
    await isRunning(world);
    await world.queueRedis.restart();
    const { status, text } = await answer;
    expect(status, text).toBe(200);
    await expectNothingLeft(world);
  });

  test('is full: 503 and red health, until there is room', async () => {
    const world = await start();
    const [api] = await Promise.all([world.startApi(), world.startCoordinator()]);
    const limit = (bytes: string) => world.look((redis) => redis.config('SET', 'maxmemory', bytes));
    await limit('1');
    expectProblem(await get(api.url, '/health/ready'), 503, 'overloaded');
    expectProblem(await count(api, newText(2_000)), 503, 'overloaded');
    await limit('0');
    expect((await get(api.url, '/health/ready')).status).toBe(200);
    expect((await count(api, newText(2_000))).status).toBe(200);
  });

  test('takes no writes, as a replica: 503 and red health, until it does', async () => {
    const world = await start();
    const [api, coordinator] = await Promise.all([world.startApi(), world.startCoordinator()]);
    await world.look((redis) => redis.replicaof('127.0.0.1', 1));
    for (const { url } of [api, coordinator])
      expectProblem(await get(url, '/health/ready'), 503, 'storage_unavailable');
    expectProblem(await count(api, newText(2_000)), 503, 'storage_unavailable');
    await world.look((redis) => redis.replicaof('NO', 'ONE'));
    for (const { url } of [api, coordinator]) expect((await get(url, '/health/ready')).status).toBe(200);
    expect((await count(api, newText(2_000))).status).toBe(200);
  });

  test('cannot save its file: 503 and red health, until it can', async () => {
    const world = await start();
    const [api, coordinator] = await Promise.all([world.startApi(), world.startCoordinator()]);
    // What stands where its file belongs cannot be replaced.
    const obstacle = join(world.queueRedis.directory, 'dump.rdb');
    const save = async (status: 'ok' | 'err') => {
      await world.look((redis) => redis.bgsave());
      await waitFor(async () =>
        (await world.look((redis) => redis.info('persistence'))).includes(`rdb_last_bgsave_status:${status}`),
      );
    };
    await world.look((redis) => redis.config('SET', 'save', '3600 1'));
    await mkdir(obstacle);
    await save('err');
    for (const { url } of [api, coordinator])
      expectProblem(await get(url, '/health/ready'), 503, 'storage_unavailable');
    expectProblem(await count(api, newText(2_000)), 503, 'storage_unavailable');
    await rmdir(obstacle);
    await save('ok');
    for (const { url } of [api, coordinator]) expect((await get(url, '/health/ready')).status).toBe(200);
    expect((await count(api, newText(2_000))).status).toBe(200);
  });

  test('of the counts is away: answers are the same', async () => {
    const world = await start();
    const both = await world.startBoth();
    const payload = newText(20_000);
    const { body } = await count(both, payload);
    await world.cacheRedis.kill();
    expect((await count(both, payload)).body.tokens).toBe(body.tokens);
    expect((await count(both, newText(20_000))).status).toBe(200);
  });

  test('of the counts has lost what a coordinator knows: it is asked for once, and then known again', async () => {
    const world = await start({ PREFLIGHT_DEADLINE_MS: '5000' });
    const [api, coordinator] = await Promise.all([world.startApi(), world.startCoordinator()]);
    const payload = newText(2_000);
    const { body } = await count(api, payload);
    await world.lookAtCounts((redis) => redis.flushall());
    expect((await count(api, payload)).body.tokens).toBe(body.tokens);
    expect(await coordinator.stop()).toBe(0);
    const known = await count(api, payload);
    expect([known.status, known.body.tokens], known.text).toEqual([200, body.tokens]);
  });

  test('is away all the time: processes start, say so, and stop when told to', async () => {
    const world = await start({ PREFLIGHT_DRAIN_MS: '8000' });
    await world.queueRedis.kill();
    const started = await Promise.all([world.startApi(), world.startCoordinator(), world.startBoth()]);
    for (const { url } of started) expectProblem(await get(url, '/health/ready'), 503, 'storage_unavailable');
    expect(await Promise.all(started.map(({ stop }) => stop()))).toEqual([0, 0, 0]);
  });
});

describe('after SIGTERM', () => {
  test('running requests finish, with API and coordinator in one process', async () => {
    const world = await start(SLOW);
    const both = await world.startBoth();
    const answer = count(both, newText(1_000_000));
    await isRunning(world);
    const stopped = both.stop();
    await waitFor(() => both.output().includes('"stopping"'));
    expectProblem(await count(both, newText(1_000)), 503, 'shutting_down');
    expect((await answer).status).toBe(200);
    expect(await stopped).toBe(0);
    await expectNothingLeft(world);
  });

  test('an API finishes the requests that coordinators work on', async () => {
    const world = await start(SLOW);
    const [api] = await Promise.all([world.startApi(), world.startCoordinator()]);
    const answer = count(api, newText(1_000_000));
    await isRunning(world);
    const stopped = api.stop();
    expect((await answer).status).toBe(200);
    expect(await stopped).toBe(0);
    await expectNothingLeft(world);
  });
});
