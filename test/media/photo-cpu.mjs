// What it costs to know a photo of 5 MB, beyond its digest: CPU of all threads, and of the event loop.
//
//   node test/media/photo-cpu.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mediaFacts } from '@preflight/coordinator';
import { TextRange } from '@preflight/core';
import { inspect } from '@preflight/media';
import { createPool } from '@preflight/pool';

const PHOTO_BYTES = 5_000_000;
const ROUNDS = 2000;

const header = readFileSync(join(import.meta.dirname, 'corpus', 'jpeg-thumbnail.jpg'));
const photo = Buffer.concat([header, Buffer.alloc(PHOTO_BYTES - header.length, 0x5a)]);
const uri = Buffer.from(`data:image/jpeg;base64,${photo.toString('base64')}`);
const buffer = new SharedArrayBuffer(uri.length);
new Uint8Array(buffer).set(uri);
const part = { kind: 'image', data: new TextRange(buffer, 0, uri.length) };

const pool = createPool({ threads: 1 });
const facts = (parts) =>
  mediaFacts({ pool, cache: undefined, payloads: undefined }, parts, { encoding: 'o200k_base' });
await facts([part]);
const inThread = cpuMs(() => inspect(new Uint8Array(buffer), { form: 'encoded' }));
const before = process.cpuUsage();
for (let i = 0; i < ROUNDS; i++) await facts([part]);
const spent = process.cpuUsage(before);
const all = (spent.user + spent.system) / 1000 / ROUNDS;
console.log(
  `reader ${inThread.toFixed(3)} ms, with the way to a thread and back ${all.toFixed(3)} ms of CPU a photo`,
);
await pool.close();

function cpuMs(work) {
  for (let i = 0; i < ROUNDS; i++) work();
  const start = process.cpuUsage();
  for (let i = 0; i < ROUNDS; i++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / ROUNDS;
}
