import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { closeConnections, timedRequest, withServer } from '../server.mjs';
import { percentile } from '../statistics.mjs';

export const title = 'Health answers under load';

const EVERY_MS = 10;
const processes = join(import.meta.dirname, '../processes');

/**
 * Health is asked every 10 ms from this process while another one sends a large attachment; then nothing else happens,
 * for comparison. A server that does nothing, in a third process, is asked beside it: the machine's own part.
 */
export async function run({ seed, largestBytes, repeats, log }) {
  const control = fork(join(processes, 'control-server.mjs'));
  const [controlUrl] = await once(control, 'message');
  const found = await withServer(async (url) => {
    const idle = await pollWhile([`${url}/health/live`, controlUrl], () => wait(1000));
    const loads = [];
    for (let i = 0; i < Math.min(repeats, 5); i++) {
      loads.push(await underLoad([`${url}/health/live`, controlUrl], url, 2 * largestBytes, seed + i));
      log(`request ${i + 1}`);
    }
    closeConnections();
    return { idle, loads };
  });
  control.kill();
  return [
    { state: 'idle', ...figures(found.idle) },
    ...found.loads.map(({ polled, requestMs }) => ({ state: 'request', requestMs, ...figures(polled) })),
  ];
}

async function underLoad(urls, serverUrl, bytes, seed) {
  const sender = fork(join(processes, 'send-request.mjs'), [serverUrl, String(bytes), String(seed)]);
  await once(sender, 'message');
  let requestMs = 0;
  const polled = await pollWhile(urls, async () => {
    sender.send('go');
    const [{ ms, status }] = await once(sender, 'message');
    if (status !== 200) throw new Error(`the request was answered with ${status}`);
    requestMs = ms;
  });
  sender.kill();
  return { polled, requestMs };
}

/** Asks every address every 10 ms, whether or not the last answer has come, until the work is done. */
async function pollWhile(urls, work) {
  for (const url of urls) await timedRequest(url);
  const answers = urls.map(() => []);
  const timer = setInterval(() => {
    for (const [i, url] of urls.entries()) answers[i].push(timedRequest(url).then(({ ms }) => ms));
  }, EVERY_MS);
  await wait(100);
  await work();
  clearInterval(timer);
  return Promise.all(answers.map((list) => Promise.all(list)));
}

function figures([health, control]) {
  const of = (list) => ({
    count: list.length,
    median: percentile(list, 50),
    p99: percentile(list, 99),
    max: Math.max(...list),
  });
  return { health: of(health), control: of(control) };
}

export function tables(records) {
  const columns = (one) => [one.median, one.p99, one.max].map((ms) => ms.toFixed(1));
  return [
    {
      caption: 'milliseconds; "control" is a server that does nothing, asked at the same moments',
      columns: [
        'state',
        'request took',
        'polls',
        'median',
        'p99',
        'slowest',
        'control median',
        'control p99',
        'control slowest',
      ],
      rows: records.map(({ state, requestMs, health, control }) => [
        state,
        requestMs?.toFixed(0) ?? '',
        health.count,
        ...columns(health),
        ...columns(control),
      ]),
    },
  ];
}
