import { randomUUID } from 'node:crypto';
import { Queue, QueueEvents, Worker } from 'bullmq';

/**
 * BullMQ alone: a job is added, processed, and its result waited for, so many at a time, for so long. Tells how many
 * went through in a second. Waits by one listener and a map, which is the fastest way (specs/dependencies.md).
 */
const [url, inFlight, seconds] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const connection = { url, maxRetriesPerRequest: null };
const name = `bench-${randomUUID()}`;
const queue = new Queue(name, { connection });
const events = new QueueEvents(name, { connection });
const worker = new Worker(name, async () => 'done', { connection, concurrency: 16 });
await Promise.all([queue.waitUntilReady(), events.waitUntilReady(), worker.waitUntilReady()]);
const waiters = new Map();
events.on('completed', ({ jobId }) => waiters.get(jobId)?.());

const data = {
  kind: 'preflight',
  skeleton: 'f'.repeat(64),
  sizes: { messages: 1, texts: 2, skeletonBytes: 500 },
};
async function once() {
  const jobId = randomUUID();
  const done = new Promise((resolve) => waiters.set(jobId, resolve));
  await queue.add('job', data, { jobId, removeOnComplete: { age: 300, count: 1000 } });
  await done;
  waiters.delete(jobId);
}

let jobs = 0;
const measure = async (ms) => {
  const startMs = performance.now();
  jobs = 0;
  const work = async () => {
    for (; performance.now() - startMs < ms; jobs++) await once();
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return (jobs / (performance.now() - startMs)) * 1000;
};
await measure(1000);
process.stdout.write(`${await measure(seconds * 1000)}\n`);
process.exit(0);
