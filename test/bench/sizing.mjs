/**
 * What a call costs each process in CPU time, and Redis in memory: the figures of docs/running.md. CPU time is that of
 * the process, whatever else runs on the machine.
 *
 *   npm run build && node test/bench/sizing.mjs        needs redis-server
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { withRedis } from './redis.mjs';
import { withServer } from './server.mjs';

/** CPU seconds of a process, user and system: fields 14 and 15 of its stat, in hundredths. */
function cpuSeconds({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function ready(url) {
  while (!(await fetch(`${url}/health/ready`)).ok) await sleep(50);
}

async function call(url, content) {
  const body = { encoding: 'o200k_base', context_window: 100_000_000, messages: [{ role: 'user', content }] };
  const answer = await fetch(`${url}/v1/preflight`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, max_output_tokens: 100 }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** CPU time of each process for a call, over so many calls. */
async function measure({ url, processes }, what, count, contentOf, atOnce = 16) {
  const before = Object.values(processes).map(cpuSeconds);
  const left = Array.from({ length: count }, (_, i) => i).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const i of left) await call(url, contentOf(i));
    }),
  );
  const row = { what };
  for (const [i, key] of Object.keys(processes).entries())
    row[`${key}, ms`] = Number((((cpuSeconds(processes[key]) - before[i]) / count) * 1000).toFixed(2));
  return row;
}

const text = (bytes) => randomBytes((bytes * 3) / 4).toString('base64');

async function costs(world) {
  for (let i = 0; i < 300; i++) await call(world.url, text(2_000));
  const [small, large] = [text(2_000), text(1_000_000)];
  const rows = [await measure(world, 'new, 2 KB', 4_000, () => text(2_000))];
  await call(world.url, small);
  rows.push(await measure(world, 'known, 2 KB', 4_000, () => small));
  rows.push(await measure(world, 'new, 1 MB', 60, () => text(1_000_000), 4));
  await call(world.url, large);
  rows.push(await measure(world, 'known, 1 MB', 60, () => large, 4));
  return rows;
}

/** Keys of one Redis by kind, with what each takes. */
async function memoryOf(store, url) {
  const redis = new Redis(url);
  const groups = new Map();
  for (const name of await redis.keysBuffer('*')) {
    const group = name
      .toString('latin1')
      .replace(/[0-9a-f-]{36}|[0-9a-f]{64}/, '…')
      .replace(/^\{p\}.*/s, '{p}…')
      .slice(0, 60);
    const bytes = await redis.call('MEMORY', 'USAGE', name, 'SAMPLES', '0');
    const { keys = 0, total = 0 } = groups.get(group) ?? {};
    groups.set(group, { keys: keys + 1, total: total + bytes });
  }
  redis.disconnect();
  return [...groups].map(([group, { keys, total }]) => ({
    store,
    group,
    keys,
    bytesEach: Math.round(total / keys),
  }));
}

await withRedis(async ({ queue, cache }, redis) => {
  const env = {
    PREFLIGHT_QUEUE_REDIS_URL: queue,
    PREFLIGHT_CACHE_REDIS_URL: cache,
    PREFLIGHT_THREADS: '1',
  };
  await withServer(
    (coordinatorUrl, coordinator) =>
      withServer(
        async (url, api) => {
          await Promise.all([coordinatorUrl, url].map(ready));
          const processes = {
            API: api,
            coordinator,
            'queue Redis': redis.queue,
            'cache Redis': redis.cache,
          };
          console.table(await costs({ url, processes }));
          const memory = [...(await memoryOf('queue', queue)), ...(await memoryOf('cache', cache))];
          memory.sort((a, b) => b.keys * b.bytesEach - a.keys * a.bytesEach);
          console.table(memory.slice(0, 14));
        },
        { command: 'api', env },
      ),
    { command: 'coordinator', env },
  );
});
