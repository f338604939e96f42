import { expect, onTestFinished, test } from 'vitest';
import { digestBytes } from '../../workers/pool/src/tree-digest.js';
import { DistributedWorld } from '../harness/distributed.js';
import { forEach } from '../harness/for-each.js';
import { get, post } from '../harness/http.js';
import { metricsOf } from '../harness/metrics.js';
import { startServer } from '../harness/server-process.js';
import { waitFor } from '../harness/wait-for.js';
import { comparable } from '../jobs/job-calls.js';
import { DyingCoordinators, spoilCounts } from './chaos.js';
import { type FaultCall, faultCalls } from './fault-calls.js';
import { type AcceptedJob, awaitAll, submitAll } from './fault-run.js';

/** `FAULT_JOBS=20000 npm run faults` does more of the same. */
const JOBS = Number(process.env.FAULT_JOBS ?? 2_000);
const SEED = Number(process.env.FAULT_SEED ?? 1);
const DISTINCT = Math.ceil(JOBS / 4);
const TIMEOUT_MS = 120_000 + 240 * JOBS;
const LOCK_MS = 1_000;
const COORDINATORS = 3;
const CONCURRENCY = 4;

test(`of ${JOBS} jobs, whatever dies, every one ends once, with the answer of a process alone (seed ${SEED})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const settings = {
    PREFLIGHT_JOB_LOCK_MS: String(LOCK_MS),
    PREFLIGHT_RESULT_LIFETIME_MS: String(2 * TIMEOUT_MS),
  };
  const world = await DistributedWorld.start(onTestFinished, settings, { appendOnly: true });
  const [api, alone] = await Promise.all([world.startApi(), startServer({ PREFLIGHT_THREADS: '1' })]);
  const coordinators = new DyingCoordinators(world, { PREFLIGHT_CONCURRENCY: String(CONCURRENCY) });
  onTestFinished(() => coordinators.stopKilling());
  await coordinators.start(COORDINATORS);

  const distinct = faultCalls(DISTINCT, SEED);
  const calls = Array.from({ length: JOBS }, (_, i) => distinct[(i * 7919) % DISTINCT] as FaultCall);
  const jobs: AcceptedJob[] = [];
  const after = (share: number) => waitFor(() => jobs.length >= share * JOBS, { timeoutMs: TIMEOUT_MS });
  const disasters = async () => {
    await after(0.1);
    const thawed = coordinators.freezeOne(3 * LOCK_MS);
    await after(0.25);
    await world.queueRedis.restart();
    await after(0.4);
    await world.lookAtCounts((redis) => redis.flushall());
    await after(0.6);
    expect(await spoilCounts(world.cacheRedis.url)).toBeGreaterThan(0);
    await after(0.8);
    await world.cacheRedis.kill();
    await thawed;
  };
  await Promise.all([submitAll(api.url, calls, (job) => jobs.push(job)), disasters()]);
  await awaitAll(api.url, jobs, TIMEOUT_MS);
  expect(coordinators.kills).toBeGreaterThan(2);
  expect(new Set(await coordinators.stop())).toEqual(new Set([0]));

  expect(new Set(jobs.map(({ id }) => id)).size).toBe(JOBS);
  const expected = new Map<FaultCall, object>();
  await forEach(distinct, async (call) => {
    expected.set(call, comparable(await post(alone.url, call.path, call.payload)));
  });
  await forEach(jobs, async ({ id, call, end }) => {
    if (end === undefined) return expect.fail(`job ${id} has no end`);
    expect(comparable(end), `job ${id}`).toEqual(expected.get(call));
    // What was an end stays one, word for word.
    expect((await get(api.url, `/v1/jobs/${id}`)).body).toEqual(end.body);
  });
  await expectNothingIsKeptForEver(world, jobs.length);
  await expectOnlyRequestsAreHeld(world, distinct);
  const metrics = await metricsOf(api.url);
  for (const state of ['waiting', 'active', 'delayed'])
    expect(metrics.get(`preflight_queue_jobs{state="${state}"}`), state).toBe(0);
  for (const state of ['running', 'waiting'])
    expect(metrics.get(`preflight_pool_tasks{state="${state}"}`), state).toBe(0);
  expect(await api.stop()).toBe(0);
});

/** One result a job; and of all that stays nothing is without a lifetime. */
async function expectNothingIsKeptForEver(world: DistributedWorld, jobs: number): Promise<void> {
  const names = await world.keys();
  const of = (start: string) => names.filter((name) => name.startsWith(start));
  expect(of('result:')).toHaveLength(jobs);
  expect(of('claim:')).toHaveLength(jobs);
  const mortal = [
    'result:',
    'claim:',
    'payload:',
    'holders:',
    'leases:',
    'upload:',
    'cancelled:',
    'suspect:',
  ];
  const left = mortal.flatMap(of);
  const lifetimes = await world.look((redis) =>
    Promise.all(left.map((name) => redis.pttl(`{preflight}:${name}`))),
  );
  expect(left.filter((_, i) => lifetimes[i] === -1)).toEqual([]);
}

/**
 * No payload but the requests that are answered from, and what jobs hold that a coordinator could not release because
 * Redis was away just then: at most as many as run at one time. What jobs need alone is gone with the rest.
 */
async function expectOnlyRequestsAreHeld(
  world: DistributedWorld,
  calls: readonly FaultCall[],
): Promise<void> {
  const unreleased = (await world.keys('leases:')).filter((name) => !name.endsWith('-answer'));
  expect(unreleased.length).toBeLessThanOrEqual(COORDINATORS * CONCURRENCY);
  const held = await world.look((redis) =>
    Promise.all(unreleased.map((name) => redis.smembers(`{preflight}:${name}`))),
  );
  const requests = calls.map(({ payload }) => digestBytes(Buffer.from(JSON.stringify(payload))));
  const unreleasedJobs = unreleased.map((name) => `job:${name.slice('leases:'.length)}`);
  const known = new Set([...requests, ...held.flat(), ...unreleasedJobs].map((name) => `payload:${name}`));
  const payloads = await world.keys('payload:');
  expect(payloads.length).toBeGreaterThan(0);
  expect(payloads.filter((name) => !known.has(name))).toEqual([]);
}
