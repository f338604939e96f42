import { ContenderProcess } from '../contender-process.mjs';
import { HOSTILE_INPUTS, hostileText } from '../corpora/hostile.mjs';
import { corpus } from '../corpora/index.mjs';
import { growthExponent, median } from '../statistics.mjs';

export const title = 'Worst cases';

const CHECK_BYTES = 1_000;
const TIMEOUT_MS = 20_000;

/** Time per byte of hostile inputs, in relation to prose of the same size in the same process. */
export async function run({ seed, encodings, largestBytes, log }) {
  const sizes = [100_000, 1_000_000, 10_000_000].filter((bytes) => bytes <= largestBytes);
  const records = [];
  for (const encoding of encodings) {
    const prose = await measureProse(seed, encoding, sizes);
    const reference = await ContenderProcess.start('tiktoken', encoding);
    for (const input of HOSTILE_INPUTS) {
      records.push({ encoding, ...(await measure({ seed, encoding, input, sizes, prose, reference })) });
      log(`${encoding} ${input.name}`);
    }
    reference.stop();
  }
  return records;
}

/** Nanoseconds a byte for each size; the process is warmed up with text that is not used again. */
async function measureProse(seed, encoding, sizes) {
  const stream = corpus('prose').open(seed);
  const runner = await ContenderProcess.start('preflight', encoding);
  const found = new Map();
  await runner.count(stream.next(500_000), { asBytes: true });
  for (const bytes of sizes) {
    const times = [];
    for (let i = 0; i < (bytes > 2e6 ? 1 : 3); i++) {
      const measured = await runner.count(stream.next(bytes), { asBytes: true });
      times.push((measured.ms * 1e6) / measured.bytes);
    }
    found.set(bytes, median(times));
  }
  runner.stop();
  return found;
}

async function measure({ seed, encoding, input, sizes, prose, reference }) {
  const runner = await ContenderProcess.start('preflight', encoding);
  await runner.count(corpus('prose').open(seed).next(500_000), { asBytes: true });
  const sample = [hostileText(input, CHECK_BYTES, seed)];
  const isExact = (await runner.count(sample))?.tokens === (await reference.count(sample))?.tokens;
  const results = [];
  for (const bytes of sizes) {
    const times = [];
    for (let i = 0; i < (bytes > 2e6 ? 1 : 3); i++) {
      const measured = await runner.count([hostileText(input, bytes, seed + i + 1)], {
        asBytes: true,
        timeoutMs: TIMEOUT_MS,
      });
      if (measured) times.push(measured);
    }
    const ms = times.length > 0 ? median(times.map((one) => one.ms)) : null;
    const nsPerByte = ms === null ? null : (ms * 1e6) / times[0].bytes;
    results.push({ bytes, ms, nsPerByte, xProse: nsPerByte && nsPerByte / prose.get(bytes) });
  }
  runner.stop();
  const [small, large] = results.slice(-2);
  return {
    input: input.name,
    isExact,
    results,
    growth: large?.ms && small.ms ? growthExponent(small, large) : null,
  };
}

export function faults(records) {
  return records
    .filter(({ isExact }) => !isExact)
    .map(({ encoding, input }) => `${encoding} ${input}: wrong count`);
}

export function tables(records) {
  return [...new Set(records.map(({ encoding }) => encoding))].map((encoding) => ({
    caption: `${encoding}: time per byte, times prose of the same size; growth 1 is linear between the last two sizes`,
    columns: [
      'input',
      ...records[0].results.map(({ bytes }) => `${bytes / 1e6} MB`),
      'ms (largest)',
      'growth',
    ],
    rows: records
      .filter((record) => record.encoding === encoding)
      .map(({ input, results, growth }) => [
        input,
        ...results.map(({ xProse }) => (xProse === null ? '> cap' : xProse.toFixed(2))),
        results.at(-1).ms?.toFixed(0) ?? '> cap',
        growth?.toFixed(2) ?? '',
      ]),
  }));
}
