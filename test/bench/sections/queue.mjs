import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withRedis } from '../redis.mjs';
import { closeConnections, timedRequest, withServer } from '../server.mjs';
import { summary } from '../statistics.mjs';

export const title = 'Small conversations over the queue';

const IN_FLIGHT = 32;
const WARM_UPS = 100;
const RAW_LOOP = join(import.meta.dirname, '../processes/bullmq-loop.mjs');

/**
 * Small conversations that nobody has seen before. One at a time: embedded and over the queue (an API and a coordinator
 * in processes of their own) by turns, so that both meet the same machine. Many at a time: how many a second go
 * through the queue, and by turns, what BullMQ's own loop of add, process and result does on the same Redis.
 */
export function run({ isQuick, repeats, log }) {
  const requests = isQuick ? 100 : 1_000;
  const seconds = isQuick ? 1 : 5;
  return withRedis(({ queue, cache }) => {
    const addresses = { PREFLIGHT_QUEUE_REDIS_URL: queue, PREFLIGHT_CACHE_REDIS_URL: cache };
    const start = (work, command, env) => withServer(work, { command, env });
    return start((embedded) =>
      start(
        (api) =>
          start(
            async () => {
              const one = await oneAtATime(embedded, api, requests);
              log('one at a time');
              const rounds = [];
              for (let i = 0; i < Math.min(repeats, 3); i++) {
                const perSecond = await manyAtATime(api, seconds);
                rounds.push({ perSecond, rawPerSecond: await rawLoop(queue, seconds) });
                log(`many at a time, round ${i + 1}`);
              }
              closeConnections();
              return [{ one, rounds }];
            },
            'coordinator',
            addresses,
          ),
        'api',
        addresses,
      ),
    );
  });
}

let conversations = 0;
const salt = Math.random().toString(36).slice(2);

/** Two messages, some 60 words, of which no text was there before. */
function freshBody() {
  const number = conversations++;
  const content = (part) =>
    `${part} ${salt} ${number}: ${'the crane at berth seven is out of service. '.repeat(3)}`;
  const messages = [
    { role: 'user', content: content('question') },
    { role: 'assistant', content: content('answer') },
  ];
  return Buffer.from(JSON.stringify({ model: 'gpt-4o', messages }));
}

async function preflight(url) {
  const { ms, status, text } = await timedRequest(`${url}/v1/preflight`, freshBody());
  if (status !== 200) throw new Error(`${status}: ${text.slice(0, 300)}`);
  return ms;
}

async function oneAtATime(embedded, api, requests) {
  const times = { embedded: [], queued: [] };
  for (let i = 0; i < WARM_UPS + requests; i++) {
    const embeddedMs = await preflight(embedded);
    const queuedMs = await preflight(api);
    if (i < WARM_UPS) continue;
    times.embedded.push(embeddedMs);
    times.queued.push(queuedMs);
  }
  const [embeddedMs, queuedMs] = [summary(times.embedded), summary(times.queued)];
  return { embeddedMs, queuedMs, overheadMs: queuedMs.median - embeddedMs.median };
}

async function manyAtATime(api, seconds) {
  const startMs = performance.now();
  let done = 0;
  const work = async () => {
    for (; performance.now() - startMs < seconds * 1000; done++) await preflight(api);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return (done / (performance.now() - startMs)) * 1000;
}

async function rawLoop(url, seconds) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [RAW_LOOP, url, IN_FLIGHT, seconds].map(String),
  );
  return Number(stdout);
}

export function tables(records) {
  return records.flatMap(({ one, rounds }) => [
    {
      caption: `milliseconds, one at a time; the queue adds ${one.overheadMs.toFixed(2)} at the median`,
      columns: ['way', 'requests', 'median', 'fastest', 'slowest'],
      rows: [
        ['embedded', one.embeddedMs],
        ['over the queue', one.queuedMs],
      ].map(([way, { runs, median, min, max }]) => [
        way,
        runs,
        median.toFixed(2),
        min.toFixed(2),
        max.toFixed(2),
      ]),
    },
    {
      caption: `a second, ${IN_FLIGHT} at a time; "BullMQ alone" adds, processes and gets a result, and does nothing else`,
      columns: ['round', 'preflights', 'BullMQ alone', 'share'],
      rows: rounds.map(({ perSecond, rawPerSecond }, i) => [
        i + 1,
        perSecond.toFixed(0),
        rawPerSecond.toFixed(0),
        (perSecond / rawPerSecond).toFixed(2),
      ]),
    },
  ]);
}
