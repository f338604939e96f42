import { runScript } from '../run-script.mjs';
import { median } from '../statistics.mjs';

export const title = 'Memory of a further thread';

const KINDS = {
  empty: 'empty worker thread',
  counter: 'worker thread that called loadCounter and counted',
  pool: 'thread of createPool that counted',
};
const FEW = 1;
const MANY = 4;

/** Resident memory of fresh processes with one thread and with four: a third of the difference is one thread. */
export async function run({ encodings, headlineBytes, repeats, log }) {
  const records = [];
  for (const encoding of encodings) {
    const found = Object.keys(KINDS).map((kind) => ({ encoding, kind, few: [], many: [] }));
    for (let i = 0; i < Math.min(repeats, 5); i++)
      for (const one of found) {
        one.few.push(await residentBytes(one.kind, FEW, encoding, headlineBytes));
        one.many.push(await residentBytes(one.kind, MANY, encoding, headlineBytes));
      }
    for (const { kind, few, many } of found) {
      const processBytes = median(few);
      records.push({
        encoding,
        kind,
        processBytes,
        threadBytes: (median(many) - processBytes) / (MANY - FEW),
      });
    }
    log(encoding);
  }
  return records;
}

async function residentBytes(kind, threads, encoding, bytes) {
  const argv = [kind, String(threads), encoding, String(bytes)];
  const answer = await runScript('memory.mjs', argv, { execArgv: ['--expose-gc'] });
  if (!answer) throw new Error(`memory of ${threads} threads (${kind}) could not be measured`);
  return answer.rssBytes;
}

export function tables(records) {
  const megabytes = (bytes) => (bytes / 1_048_576).toFixed(1);
  return [
    {
      caption: 'resident memory, MiB, medians',
      columns: ['encoding', 'kind', 'process with one thread', 'a further thread', 'beyond an empty one'],
      rows: records.map(({ encoding, kind, processBytes, threadBytes }) => {
        const empty = records.find((one) => one.encoding === encoding && one.kind === 'empty');
        return [
          encoding,
          KINDS[kind],
          megabytes(processBytes),
          megabytes(threadBytes),
          kind === 'empty' ? '' : megabytes(threadBytes - empty.threadBytes),
        ];
      }),
    },
  ];
}
