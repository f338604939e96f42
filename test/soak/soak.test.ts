import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { DistributedWorld } from '../harness/distributed.js';
import { guarded } from '../harness/guarded-process.js';
import { metricsOf } from '../harness/metrics.js';
import { peakResidentBytes } from '../harness/resident-bytes.js';
import type { ServerProcess } from '../harness/server-process.js';

const megabytes = Number(process.env.SOAK_MEGABYTES ?? 200);
const TOTAL_BYTES = megabytes * 1_000_000;
const MAX_RESIDENT_BYTES = 500_000_000;

/** What a killed client may have had under way, which nobody knows the counts of. */
const UNDER_WAY_BYTES = 16 * 1024 * 1024;

const CLIENT = new URL('./client.mjs', import.meta.url).pathname;

/** A client in a process of its own; tells every id that has its result. */
function startClient(url: string, bytes: number, { batchId = 'soak', done = new Set<string>() } = {}) {
  const argv = [CLIENT, url, batchId, String(bytes)];
  const child = guarded(spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] }));
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end([...done].join('\n'));
  return { child, ids: createInterface({ input: child.stdout }), exited: once(child, 'exit') };
}

async function kill({ child, exited }: { child: ChildProcess; exited: Promise<unknown> }): Promise<void> {
  child.kill('SIGKILL');
  await exited;
}

async function encodedBytes(coordinator: ServerProcess): Promise<number> {
  return (await metricsOf(coordinator.url)).get('preflight_encoded_bytes_total') ?? Number.NaN;
}

async function peakMegabytes({ child }: ServerProcess): Promise<number> {
  return Math.round((await peakResidentBytes(child.pid as number)) / 1e6);
}

test(`a batch of ${megabytes} MB takes little memory, and a killed client goes on by ids`, {
  timeout: 600_000 + 1000 * megabytes,
}, async () => {
  const world = await DistributedWorld.start(onTestFinished);
  const [api, coordinator] = await Promise.all([world.startApi(), world.startCoordinator()]);
  const startMs = performance.now();
  const done = new Set<string>();
  const expectedLines = TOTAL_BYTES / 900_000;

  const killed = startClient(api.url, TOTAL_BYTES);
  for await (const id of killed.ids) {
    done.add(id);
    if (done.size > expectedLines / 2) break;
  }
  await kill(killed);
  const doneThen = done.size;

  const resumed = startClient(api.url, TOTAL_BYTES, { done: new Set(done) });
  let given = 0;
  for await (const id of resumed.ids) {
    given += 1;
    done.add(id);
  }
  expect((await resumed.exited)[0]).toBe(0);
  // No line was given twice, and none is missing: ids are numbers in order.
  expect(given).toBe(done.size - doneThen);
  expect(Math.max(...[...done].map(Number))).toBe(done.size - 1);

  const encoded = await encodedBytes(coordinator);
  expect(encoded).toBeGreaterThan(0.95 * TOTAL_BYTES);
  expect(encoded).toBeLessThan(1.05 * TOTAL_BYTES + UNDER_WAY_BYTES + 8 * 1024 * 1024);

  // All of a part again, as another batch: known.
  const again = startClient(api.url, Math.min(TOTAL_BYTES, 100_000_000) / 2, { batchId: 'again' });
  for await (const id of again.ids) expect(done.has(id)).toBe(true);
  expect((await again.exited)[0]).toBe(0);
  expect((await encodedBytes(coordinator)) - encoded).toBeLessThan(100_000);

  const figures = {
    megabytes,
    lines: done.size,
    seconds: Math.round((performance.now() - startMs) / 1000),
    apiPeakMegabytes: await peakMegabytes(api),
    coordinatorPeakMegabytes: await peakMegabytes(coordinator),
  };
  if (process.env.SOAK_MEGABYTES) console.log(figures);
  expect(figures.apiPeakMegabytes * 1e6).toBeLessThan(MAX_RESIDENT_BYTES);
  expect(figures.coordinatorPeakMegabytes * 1e6).toBeLessThan(MAX_RESIDENT_BYTES);
});
