import { parseArgs } from 'node:util';
import { ENCODING_NAMES } from '@preflight/tokenizer';
import { ENDLESS_KINDS, KINDS } from './kinds/index.mjs';

export const USAGE = `npm run fuzz -- [options]

Compares counts, cuts and sums with those of npm tiktoken until time is up; exit code 1 on the first difference.

  --encoding NAME   ${ENCODING_NAMES.join(', ')}, or all: every text with each
                    of them; may be repeated (o200k_base and cl100k_base)
  --tokenizer PATH  a tokenizer.json instead, measured by tiktoken with its ranks; may be repeated
  --kind NAME       ${Object.keys(KINDS).join(', ')}; may be repeated
                    (all but codepoints, which comes to an end by itself)
  --seconds N       for the whole run, in equal parts for each kind (60)
  --cases N         of each kind and encoding, in place of a time
  --seed N          draws other texts (from the clock)
`;

/** @param {string[]} argv Throws a RangeError that tells what is wrong. */
export function readOptions(argv) {
  const text = { type: /** @type {const} */ ('string') };
  const list = { ...text, multiple: /** @type {const} */ (true) };
  const { values } = parseArgs({
    args: argv,
    options: {
      encoding: list,
      tokenizer: list,
      kind: list,
      seconds: text,
      cases: text,
      seed: text,
      help: { type: 'boolean', default: false },
    },
  });
  const tokenizers = values.tokenizer ?? [];
  const named = values.encoding ?? (tokenizers.length > 0 ? [] : ['o200k_base', 'cl100k_base']);
  const encodings = named.includes('all') ? ENCODING_NAMES : named;
  const kinds = values.kind ?? ENDLESS_KINDS;
  mustBeKnown('encoding', encodings, ENCODING_NAMES);
  mustBeKnown('kind', kinds, Object.keys(KINDS));
  const cases = wholeNumber('cases', values.cases);
  const seconds = wholeNumber('seconds', values.seconds);
  const isEndless =
    cases === undefined && seconds === undefined && kinds.some((kind) => ENDLESS_KINDS.includes(kind));
  return {
    help: values.help,
    encodings,
    tokenizers,
    kinds: kinds.map((name) => KINDS[name]),
    cases,
    seconds: isEndless ? 60 : seconds,
    seed: wholeNumber('seed', values.seed) ?? Date.now() % 1_000_000,
  };
}

function mustBeKnown(what, names, known) {
  for (const name of names)
    if (!known.includes(name)) throw new RangeError(`no ${what} ${name}: known are ${known.join(', ')}`);
}

function wholeNumber(name, value) {
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw new RangeError(`--${name} must be a whole number`);
  return Number(value);
}
