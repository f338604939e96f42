import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus } from '../corpora/index.mjs';
import { runScript } from '../run-script.mjs';
import { summary } from '../statistics.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export const title = 'First payload of a fresh process';

const TIMEOUT_MS = 12_000;

/** A random base64 attachment is read from a file and counted; every process gets another one. */
export async function run({ seed, encodings, contenders, headlineBytes, repeats, log }) {
  return withTemporaryFolder(async (folder) => {
    const records = [];
    for (const encoding of encodings) {
      const stream = corpus('base64').open(seed);
      const runs = contenders.map((contender) => ({ contender, found: [], isOver: false }));
      for (let i = 0; i < repeats; i++) {
        const file = join(folder, 'payload.json');
        writeFileSync(file, stream.next(headlineBytes)[0]);
        for (const one of runs) {
          if (one.isOver || (i > 0 && one.contender !== 'preflight' && one.contender !== 'tiktoken'))
            continue;
          const measured = await runScript('cold-start.mjs', [one.contender, encoding, file], {
            timeoutMs: TIMEOUT_MS,
          });
          if (measured) one.found.push(measured);
          else one.isOver = true;
        }
      }
      for (const { contender, found } of runs) records.push({ encoding, contender, ...partsOf(found) });
      log(encoding);
    }
    return records;
  });
}

function partsOf(found) {
  if (found.length === 0) return { isOverCap: true };
  const part = (name) => summary(found.map((one) => one[name]));
  return {
    loadMs: part('loadMs'),
    readMs: part('readMs'),
    countMs: part('countMs'),
    totalMs: part('totalMs'),
  };
}

export function tables(records) {
  const figure = (part) => part.median.toFixed(0);
  return [
    {
      caption: `milliseconds, medians; > ${TIMEOUT_MS / 1000} s: given up`,
      columns: [
        'encoding',
        'contender',
        'runs',
        'load',
        'read',
        'first count',
        'first line to number',
        'spread',
      ],
      rows: records.map(({ encoding, contender, isOverCap, loadMs, readMs, countMs, totalMs }) =>
        isOverCap
          ? [encoding, contender, '', '', '', '', `> ${TIMEOUT_MS}`, '']
          : [
              encoding,
              contender,
              totalMs.runs,
              ...[loadMs, readMs, countMs, totalMs].map(figure),
              `${totalMs.min.toFixed(0)}–${totalMs.max.toFixed(0)}`,
            ],
      ),
    },
  ];
}
