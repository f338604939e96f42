/**
 * What a call costs each process in CPU time, and Redis in memory: the figures of docs/running.md. CPU time is that of
 * the process, whatever else runs on the machine.
 *
 *   npm run build && node test/bench/sizing.mjs        needs redis-server
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

const MAIN = new URL('../../services/cli/dist/main.js', import.meta.url).pathname;
const [QUEUE_PORT, CACHE_PORT, API_PORT, COORDINATOR_PORT] = [7391, 7392, 7393, 7394];
const children = [];

function start(command, argv, env = {}) {
  const child = spawn(command, argv, { env: { ...process.env, ...env }, stdio: 'ignore' });
  children.push(child);
  return child;
}

const redis = (port, more) =>
  start('redis-server', [
    '--port',
    String(port),
    '--save',
    '',
    '--dir',
    '/tmp',
    '--bind',
    '127.0.0.1',
    ...more,
  ]);
const servers = {
  'queue Redis': redis(QUEUE_PORT, ['--maxmemory-policy', 'noeviction']),
  'cache Redis': redis(CACHE_PORT, ['--maxmemory', '256mb', '--maxmemory-policy', 'allkeys-lfu']),
};
const settings = {
  PREFLIGHT_QUEUE_REDIS_URL: `redis://127.0.0.1:${QUEUE_PORT}`,
  PREFLIGHT_CACHE_REDIS_URL: `redis://127.0.0.1:${CACHE_PORT}`,
  PREFLIGHT_THREADS: '1',
  PREFLIGHT_LOG_LEVEL: 'warn',
};
const processes = {
  API: start(process.execPath, [MAIN, 'api', '--port', String(API_PORT)], settings),
  coordinator: start(process.execPath, [MAIN, 'coordinator', '--port', String(COORDINATOR_PORT)], settings),
  ...servers,
};

const url = `http://127.0.0.1:${API_PORT}`;

/** CPU seconds of a process, user and system: fields 14 and 15 of its stat, in hundredths. */
function cpuSeconds({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function ready() {
  for (const port of [API_PORT, COORDINATOR_PORT])
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      if (answer?.ok) break;
      await sleep(50);
    }
}

async function call(content) {
  const body = { encoding: 'o200k_base', context_window: 100_000_000, messages: [{ role: 'user', content }] };
  const answer = await fetch(`${url}/v1/preflight`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, max_output_tokens: 100 }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function measure(name, count, contentOf, atOnce = 16) {
  const before = Object.values(processes).map(cpuSeconds);
  const left = Array.from({ length: count }, (_, i) => i).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const i of left) await call(contentOf(i));
    }),
  );
  const row = { what: name };
  for (const [i, key] of Object.keys(processes).entries())
    row[`${key}, ms`] = Number((((cpuSeconds(processes[key]) - before[i]) / count) * 1000).toFixed(2));
  return row;
}

const text = (bytes) => randomBytes((bytes * 3) / 4).toString('base64');

try {
  await ready();
  for (let i = 0; i < 300; i++) await call(text(2_000));
  const known = text(2_000);
  await call(known);
  const rows = [
    await measure('new, 2 KB', 4_000, () => text(2_000)),
    await measure('known, 2 KB', 4_000, () => known),
    await measure('new, 1 MB', 60, () => text(1_000_000), 4),
  ];
  const large = text(1_000_000);
  await call(large);
  rows.push(await measure('known, 1 MB', 60, () => large, 4));
  console.table(rows);

  const [queue, cache] = [new Redis(QUEUE_PORT), new Redis(CACHE_PORT)];
  const memory = [];
  for (const [store, client] of Object.entries({ queue, cache })) {
    const groups = new Map();
    for (const name of await client.keysBuffer('*')) {
      const key = name.toString('latin1');
      const group = key
        .replace(/[0-9a-f-]{36}|[0-9a-f]{64}/, '…')
        .replace(/^\{p\}.*/s, '{p}…')
        .slice(0, 60);
      const bytes = await client.call('MEMORY', 'USAGE', name, 'SAMPLES', '0');
      const { keys = 0, total = 0 } = groups.get(group) ?? {};
      groups.set(group, { keys: keys + 1, total: total + bytes });
    }
    for (const [group, { keys, total }] of groups)
      memory.push({ store, group, keys, bytesEach: Math.round(total / keys) });
  }
  console.table(memory.sort((a, b) => b.keys * b.bytesEach - a.keys * a.bytesEach).slice(0, 14));
  queue.disconnect();
  cache.disconnect();
} finally {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
}
