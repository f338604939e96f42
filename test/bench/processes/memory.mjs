// `node memory.mjs KIND THREADS ENCODING BYTES`: the process's memory with so many threads that all have counted once.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const [kind, threadCount, encoding, byteCount] = process.argv.slice(2);
const payload = makePayload(Number(byteCount));
const threads = Number(threadCount);

/** Letters and digits without order, in memory that all threads share; no other module is loaded for it. */
function makePayload(bytes) {
  const text = Buffer.from(new SharedArrayBuffer(bytes));
  let block = Buffer.from(encoding);
  for (let at = 0; at < bytes; at += 64) {
    block = createHash('sha384').update(block).digest();
    text.write(block.toString('base64'), at, 'latin1');
  }
  return text;
}

if (kind === 'pool') {
  const { createPool } = await import('@preflight/pool');
  const { TextRange } = await import('@preflight/core');
  const pool = createPool({ threads });
  const countable = [new TextRange(payload.buffer, 0, payload.length)];
  for (let i = 0; i < 3; i++) await pool.countAll(encoding, Array(threads).fill(countable));
} else {
  for (let i = 0; i < threads; i++) {
    const workerData = { kind, encoding, payload };
    await once(new Worker(new URL('./memory-thread.mjs', import.meta.url), { workerData }), 'message');
  }
}
globalThis.gc?.();
process.send({ rssBytes: process.memoryUsage.rss() });
