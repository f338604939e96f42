/**
 * Sends a synthetic batch and prints the id of each line that has its result. Reads from standard input the ids that
 * have theirs from an earlier run, one on a line.
 *
 *   node client.mjs URL BATCH BYTES
 */
import { text } from 'node:stream/consumers';
import { PreflightClient } from '@preflight/client';
import { linesOf } from './lines.mjs';

const [url, batchId, bytes] = process.argv.slice(2);
const done = new Set((await text(process.stdin)).split('\n').filter(Boolean));
const client = new PreflightClient({ baseUrl: url });
for await (const { id, status } of client.batch(() => linesOf(Number(bytes)), { batchId, done })) {
  if (status !== 200) throw new Error(`line ${id}: status ${status}`);
  process.stdout.write(`${id}\n`);
}
