import { parseArgs } from 'node:util';
import { CONTENDERS } from './contenders.mjs';
import { SECTIONS } from './sections/index.mjs';

export const USAGE = `npm run bench -- [SECTION…] [options]

Sections: ${SECTIONS.map(({ name }) => name).join(', ')} (all when none is named)

  --encoding NAME      o200k_base or cl100k_base; may be repeated
  --contender NAME     ${Object.keys(CONTENDERS).join(', ')}; may be repeated
  --corpus NAME        a corpus of throughput or decades; may be repeated
  --passes N           passes over fresh text in throughput (5)
  --seed N             draws other texts (1)
  --quick              small sizes and few repeats: to see that it works, not to quote
  --json               one JSON line on standard output in place of the tables
  --write              docs/performance.md from the newest results of each section
`;

/** Throws with the usage when an argument is not known.
 * @param {string[]} argv
 */
export function readOptions(argv) {
  const text = { type: /** @type {const} */ ('string') };
  const flag = { type: /** @type {const} */ ('boolean'), default: false };
  const list = { ...text, multiple: true };
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      encoding: list,
      contender: list,
      corpus: list,
      passes: text,
      seed: text,
      quick: flag,
      json: flag,
      write: flag,
      help: flag,
    },
  });
  const sections = positionals.length > 0 ? positionals : SECTIONS.map(({ name }) => name);
  for (const name of sections)
    if (!SECTIONS.some((section) => section.name === name))
      throw new RangeError(`no section ${name}\n\n${USAGE}`);
  const { quick, json, write, help } = values;
  return {
    sections,
    json,
    write,
    help,
    run: {
      ...(quick ? QUICK : FULL),
      isQuick: quick,
      seed: Number(values.seed ?? 1),
      encodings: values.encoding ?? ['o200k_base', 'cl100k_base'],
      contenders: values.contender ?? Object.keys(CONTENDERS),
      corpora: values.corpus,
      ...(values.passes && { passes: Number(values.passes) }),
    },
  };
}

const FULL = { headlineBytes: 2_600_000, largestBytes: 10_000_000, passes: 5, repeats: 7, requests: 15 };
const QUICK = { headlineBytes: 260_000, largestBytes: 1_000_000, passes: 2, repeats: 2, requests: 3 };
