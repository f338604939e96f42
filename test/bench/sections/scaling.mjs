import { ContenderProcess } from '../contender-process.mjs';
import { corpus } from '../corpora/index.mjs';
import { summary } from '../statistics.mjs';

export const title = 'Threads on one attachment';

/**
 * One attachment through pools of one and two threads, in turn with the machine's own limit: two independent processes
 * that each count one at the same time, beside one alone. Every count gets fresh text.
 */
export async function run({ seed, encodings, largestBytes, repeats, log }) {
  const { createPool } = await import('@preflight/pool');
  const records = [];
  for (const encoding of encodings) {
    const stream = corpus('base64').open(seed);
    const pools = [createPool({ threads: 1 }), createPool({ threads: 2 })];
    const processes = await Promise.all([0, 1].map(() => ContenderProcess.start('preflight', encoding)));
    const passes = [];
    for (let i = 0; i < repeats + 2; i++) {
      const pass = await onePass({ encoding, stream, pools, processes, bytes: largestBytes });
      if (i > 1) passes.push(pass);
    }
    await Promise.all(pools.map((pool) => pool.close()));
    for (const one of processes) one.stop();
    records.push({ encoding, bytes: largestBytes, ...summaries(passes) });
    log(encoding);
  }
  return records;
}

async function onePass({ encoding, stream, pools, processes, bytes }) {
  const [oneThreadMs, twoThreadsMs] = [
    await throughPool(pools[0], encoding, stream.next(bytes)[0]),
    await throughPool(pools[1], encoding, stream.next(bytes)[0]),
  ];
  const count = (process) => process.count(stream.next(bytes), { asBytes: true });
  const alone = await count(processes[0]);
  const together = await Promise.all(processes.map(count));
  return {
    oneThreadMs,
    twoThreadsMs,
    speedup: oneThreadMs / twoThreadsMs,
    machineLimit: (2 * alone.ms) / Math.max(...together.map(({ ms }) => ms)),
  };
}

/** The way a request takes: bytes in shared memory, no copy. */
async function throughPool(pool, encoding, text) {
  const { TextRange } = await import('@preflight/core');
  const shared = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(shared).write(text);
  const startMs = performance.now();
  await pool.countAll(encoding, [[new TextRange(shared, 0, shared.byteLength)]]);
  return performance.now() - startMs;
}

function summaries(passes) {
  const part = (name) => summary(passes.map((pass) => pass[name]));
  return Object.fromEntries(Object.keys(passes[0]).map((name) => [name, part(name)]));
}

export function tables(records) {
  const ratio = ({ median, min, max }) => `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;
  return [
    {
      caption: 'one random base64 attachment; medians and spread',
      columns: [
        'encoding',
        'MB',
        'one thread, ms',
        'two threads, ms',
        'speed-up',
        'limit: two processes beside one',
      ],
      rows: records.map(({ encoding, bytes, oneThreadMs, twoThreadsMs, speedup, machineLimit }) => [
        encoding,
        bytes / 1e6,
        oneThreadMs.median.toFixed(1),
        twoThreadsMs.median.toFixed(1),
        ratio(speedup),
        ratio(machineLimit),
      ]),
    },
  ];
}
