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

/** When Redis has what it was told on the disk: before it answers, as `docker-compose.yml` has it, or within a second. */
const FSYNCS = ['always', 'everysec'];

/**
 * Small conversations that nobody has seen before. One at a time: embedded and over the queue (an API and a coordinator
 * in processes of their own) by turns, so that both meet the same machine. Many at a time, once the processes are warm:
 * how many a second go through the queue, and by turns, what BullMQ's own loop of add, process and result does on the
 * same Redis.
 */
export async function run({ isQuick, repeats, log }) {
  const records = [];
  for (const fsync of FSYNCS) {
    const measured = await overQueue(fsync, {
      requests: isQuick ? 100 : 1_000,
      seconds: isQuick ? 1 : 5,
      warmUpSeconds: isQuick ? 1 : 15,
      rounds: Math.min(repeats, 3),
      log: (what) => log(`${fsync}, ${what}`),
    });
    records.push({ fsync, ...measured });
  }
  return records;
}

function overQueue(fsync, { requests, seconds, warmUpSeconds, rounds, log }) {
  const measure = async (embedded, api, queue) => {
    const one = await oneAtATime(embedded, api, requests);
    log('one at a time');
    await manyAtATime(api, warmUpSeconds);
    const measured = [];
    for (let i = 0; i < rounds; i++) {
      const perSecond = await manyAtATime(api, seconds);
      measured.push({ perSecond, rawPerSecond: await rawLoop(queue, seconds) });
      log(`many at a time, round ${i + 1}`);
    }
    closeConnections();
    return { one, rounds: measured };
  };
  return withRedis(
    ({ queue, cache }) => {
      const env = { PREFLIGHT_QUEUE_REDIS_URL: queue, PREFLIGHT_CACHE_REDIS_URL: cache };
      const coordinated = (work) => withServer(work, { command: 'coordinator', env });
      return withServer((embedded) =>
        withServer((api) => coordinated(() => measure(embedded, api, queue)), { command: 'api', env }),
      );
    },
    { fsync },
  );
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
  return [
    {
      caption: 'milliseconds, one at a time',
      columns: ['append-only file', 'requests', 'embedded', 'over the queue', 'spread', 'the queue adds'],
      rows: records.map(({ fsync, one: { embeddedMs, queuedMs, overheadMs } }) => [
        fsync,
        queuedMs.runs,
        embeddedMs.median.toFixed(2),
        queuedMs.median.toFixed(2),
        `${queuedMs.min.toFixed(2)}–${queuedMs.max.toFixed(2)}`,
        overheadMs.toFixed(2),
      ]),
    },
    {
      caption: `a second, ${IN_FLIGHT} at a time; "BullMQ alone" adds, processes and gets a result, and does nothing else`,
      columns: ['append-only file', 'round', 'preflights', 'BullMQ alone', 'share'],
      rows: records.flatMap(({ fsync, rounds }) =>
        rounds.map(({ perSecond, rawPerSecond }, i) => [
          fsync,
          i + 1,
          perSecond.toFixed(0),
          rawPerSecond.toFixed(0),
          (perSecond / rawPerSecond).toFixed(2),
        ]),
      ),
    },
  ];
}
