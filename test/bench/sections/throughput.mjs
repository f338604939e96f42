import { ContenderProcess } from '../contender-process.mjs';
import { CORPORA, corpus } from '../corpora/index.mjs';
import { summary } from '../statistics.mjs';

export const title = 'Throughput on unseen text';

const WARM_UP_BYTES = [1_000, 10_000, 260_000];

/** Up to here a first count says too little about the next. */
const ALWAYS_TRIED_BYTES = 10_000;

/**
 * Each corpus and encoding: contenders in fresh processes, counts compared with tiktoken, then passes over fresh text,
 * all contenders one after the other in each pass. A contender that would take longer than its cap for the whole text
 * gets the largest warm-up size that it can bear, in a new process if it had to be ended.
 */
export async function run({ seed, encodings, contenders, corpora, headlineBytes, passes, log }) {
  const records = [];
  for (const encoding of encodings)
    for (const { name } of CORPORA.filter((one) => !corpora || corpora.includes(one.name))) {
      records.push(await measure({ seed, encoding, name, contenders, headlineBytes, passes }));
      log(`${encoding} ${name}`);
    }
  return records;
}

async function measure({ seed, encoding, name, contenders, headlineBytes, passes }) {
  const { supplyBytes, title: corpusTitle, open } = corpus(name);
  const stream = open(seed);
  const warmUps = WARM_UP_BYTES.filter((bytes) => bytes <= Math.min(headlineBytes, supplyBytes / 4));
  const bytes = Math.floor(Math.min(headlineBytes, (supplyBytes * 0.95 - 280_000) / passes));
  const runners = [];
  for (const contender of contenders) {
    const runner = await ContenderProcess.start(contender, encoding);
    const capMs = contender === 'preflight' || contender === 'tiktoken' ? 5_000 : 1_500;
    runners.push({ contender, encoding, runner, capMs, bytes: 0, mismatches: 0, speeds: [], ratios: [] });
  }
  for (const size of [...warmUps, bytes])
    await warmUp(runners, size, size === bytes ? undefined : stream.next(size));
  for (let pass = 0; pass < passes; pass++) await onePass(runners, stream.next(bytes), bytes, pass);
  for (const { runner } of runners) runner.stop();
  return { encoding, corpus: name, title: corpusTitle, bytes, results: runners.map(resultOf) };
}

/** The size that each contender can bear grows while its cap allows; without texts only the prediction is asked. */
async function warmUp(runners, size, texts) {
  const counts = new Map();
  for (const entry of runners) {
    const isBearable = size <= ALWAYS_TRIED_BYTES || entry.runner.predictedMs(size) < entry.capMs;
    if (entry.isOver || !isBearable) {
      entry.isOver = true;
      continue;
    }
    const measured = texts && (await entry.runner.count(texts, { timeoutMs: 4 * entry.capMs }));
    if (texts && !measured) {
      entry.isOver = true;
      entry.runner = await ContenderProcess.start(entry.contender, entry.encoding);
    } else entry.bytes = size;
    if (measured) counts.set(entry, measured.tokens);
  }
  compare(runners, counts);
}

/** Contenders that take the same text count it in turn, each pass beginning with another. */
async function onePass(runners, texts, bytes, pass) {
  const measured = new Map();
  for (let i = 0; i < runners.length; i++) {
    const entry = runners[(i + pass) % runners.length];
    if (entry.bytes === 0 || (pass > 2 && entry.capMs < 5_000)) continue;
    const part = entry.bytes < bytes ? shortened(texts, entry.bytes / bytes) : texts;
    const result = await entry.runner.count(part, { timeoutMs: 4 * entry.capMs });
    if (!result) continue;
    entry.speeds.push(result.bytes / 1000 / result.ms);
    measured.set(entry, result);
  }
  const reference = measured.get(runners.find(({ contender }) => contender === 'tiktoken'));
  if (!reference) return;
  const sameText = [...measured].filter(([, { bytes: length }]) => length === reference.bytes);
  compare(runners, new Map(sameText.map(([entry, { tokens }]) => [entry, tokens])));
  for (const [entry, result] of measured)
    entry.ratios.push(result.bytes / result.ms / (reference.bytes / reference.ms));
}

function compare(runners, counts) {
  const expected = counts.get(runners.find(({ contender }) => contender === 'tiktoken'));
  if (expected === undefined) return;
  for (const [entry, tokens] of counts) if (tokens !== expected) entry.mismatches++;
}

function shortened(texts, share) {
  if (texts.length > 1) return texts.slice(0, Math.max(1, Math.round(texts.length * share)));
  return [texts[0].slice(0, Math.round(texts[0].length * share)).toWellFormed()];
}

function resultOf({ contender, bytes, mismatches, speeds, ratios }) {
  return {
    contender,
    bytes,
    mismatches,
    mbPerSecond: speeds.length > 0 ? summary(speeds) : null,
    ratio: ratios.length > 0 ? summary(ratios) : null,
  };
}

/** Contenders whose counts must be right; others are only marked. */
export function faults(records) {
  return records.flatMap(({ encoding, corpus: name, results }) =>
    results
      .filter(({ contender, mismatches }) => contender === 'preflight' && mismatches > 0)
      .map(({ mismatches }) => `${encoding} ${name}: ${mismatches} counts differ from tiktoken`),
  );
}

/** Tables: first ours and how many times tiktoken it is, then every contender's speed. */
export function tables(records) {
  const names = records[0]?.results.map(({ contender }) => contender) ?? [];
  const rivals = names.filter((name) => name !== 'preflight' && name !== 'tiktoken');
  return [...new Set(records.map(({ encoding }) => encoding))].map((encoding) => ({
    caption: `${encoding}, MB/s; a size beside a figure: no more could be borne within the cap; *: wrong counts`,
    columns: ['corpus', 'KB', 'preflight', 'x tiktoken', 'spread', 'tiktoken', ...rivals],
    rows: records
      .filter((record) => record.encoding === encoding)
      .map(({ title: corpusTitle, bytes, results }) => {
        const of = (name) => results.find(({ contender }) => contender === name);
        const ratio = of('preflight')?.ratio;
        return [
          corpusTitle,
          Math.round(bytes / 1000),
          cell(of('preflight'), bytes),
          ratio ? ratio.median.toFixed(1) : '',
          ratio ? `${ratio.min.toFixed(1)}–${ratio.max.toFixed(1)}` : '',
          cell(of('tiktoken'), bytes),
          ...rivals.map((name) => cell(of(name), bytes)),
        ];
      }),
  }));
}

function cell(result, bytes) {
  if (!result) return '';
  if (!result.mbPerSecond) return '> cap';
  const speed = result.mbPerSecond.median;
  const figure = speed >= 10 ? speed.toFixed(0) : speed.toPrecision(2);
  const size = result.bytes < bytes ? ` (${Math.round(result.bytes / 1000)} KB)` : '';
  return `${figure}${size}${result.mismatches > 0 ? ' *' : ''}`;
}
