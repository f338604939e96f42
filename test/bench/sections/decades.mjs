import { ContenderProcess } from '../contender-process.mjs';
import { corpus } from '../corpora/index.mjs';

export const title = 'Sizes in decades';

const CAP_MS = 3_000;
const TEXTS_OF_SIZE = { 1000: 20, 10000: 20, 100000: 5, 1000000: 2, 10000000: 1 };

/** o200k_base, from the first text of a fresh process up: small sizes show the cost of a process that is not warm yet. */
export async function run({ seed, contenders, corpora, largestBytes, log }) {
  const records = [];
  for (const name of corpora ?? ['base64', 'prose', 'code', 'json'])
    for (const contender of contenders) {
      records.push({
        corpus: name,
        contender,
        speeds: await measure({ seed, name, contender, largestBytes }),
      });
      log(`${name} ${contender}`);
    }
  return records;
}

async function measure({ seed, name, contender, largestBytes }) {
  const stream = corpus(name).open(seed);
  const runner = await ContenderProcess.start(contender, 'o200k_base');
  const speeds = [];
  for (const [size, textCount] of Object.entries(TEXTS_OF_SIZE)) {
    const bytes = Number(size);
    if (bytes > largestBytes) break;
    const isBearable =
      bytes <= 10_000 || runner.predictedMs(bytes * textCount) < CAP_MS * (contender === 'tiktoken' ? 2 : 1);
    const texts = isBearable ? Array.from({ length: textCount }, () => stream.next(bytes)).flat() : [];
    const measured = isBearable ? await runner.count(texts, { timeoutMs: 4 * CAP_MS }) : undefined;
    speeds.push({ bytes, mbPerSecond: measured ? measured.bytes / 1000 / measured.ms : null });
    if (!measured) break;
  }
  runner.stop();
  return speeds;
}

export function tables(records) {
  const sizes = Object.keys(TEXTS_OF_SIZE).map(Number);
  const columns = [
    'corpus',
    'contender',
    ...sizes.map((bytes) => (bytes < 1e6 ? `${bytes / 1e3} KB` : `${bytes / 1e6} MB`)),
  ];
  const rows = records.map(({ corpus: name, contender, speeds }) => [
    name,
    contender,
    ...sizes.map((bytes) => {
      const speed = speeds.find((one) => one.bytes === bytes);
      if (!speed) return '';
      return speed.mbPerSecond === null ? '> cap' : speed.mbPerSecond.toPrecision(3);
    }),
  ]);
  return [{ caption: 'o200k_base, MB/s', columns, rows }];
}
