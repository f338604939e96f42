// A consumer in a process of its own, for tests that kill it: `node bullmq-consumer.child.js <url> <timing> <concurrency>`.
// What its handler does stands in the job's data; what happens is told to the parent.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { openStorage } from '@preflight/storage';

const [redisUrl, timing, concurrency] = process.argv.slice(2);
const { jobs: queue } = await openStorage({
  queueRedisUrl: redisUrl,
  jobTiming: JSON.parse(timing),
  jobLimits: { retryPauseMs: 20 },
  onWarning() {},
});

const doings = {
  async finish() {},
  async work({ ms }) {
    await delay(ms);
  },
  async kill({ ms }) {
    await delay(ms);
    process.kill(process.pid, 'SIGKILL');
  },
  async wait(_data, signal) {
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  },
};

const consumer = queue.consume(
  async ({ id, data, attempt }, { signal }) => {
    process.send({ started: id, attempt });
    signal.addEventListener('abort', () => process.send({ aborted: id, code: signal.reason.code }));
    await doings[data.what](data, signal);
    process.send({ finished: id });
  },
  { concurrency: Number(concurrency), stopGraceMs: 200 },
);
await consumer.start();
process.on('disconnect', () => process.exit());
process.send({ ready: true });
