import { createCipheriv, createHash } from 'node:crypto';

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Bytes that do not compress, the same for the same seed. */
export function seededBytes(lengthBytes: number, seed = 1): Buffer {
  const key = createHash('sha256').update(String(seed)).digest().subarray(0, 16);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(lengthBytes));
}

const WORDS =
  "the harbour's crane Tide vessel BERTH cargo 2026 déjà vu weather, report. delay; (inspection) don't".split(
    ' ',
  );
const CODE = [
  'const x = 1;',
  '  return foo(bar, 42);',
  '}',
  '// note',
  '\tif (a !== b) {',
  'import { y } from "./y.js";',
  '',
];
const CJK = [...'港口起重机的报告显示天气延误码头船舶货物ひらがなカタカナ한국어문장。、「」'];
const EMOJI = ['😀', '👨‍👩‍👧', '🏳️‍🌈', '🇩🇪', '👍🏽', '❤️', ' ', '🧠🧠'];

type Random = () => number;
const pick = <Item>(random: Random, items: readonly Item[]) =>
  items[Math.floor(random() * items.length)] as Item;

/** Makers of about so many characters of each kind. */
export const TEXT_KINDS: Readonly<Record<string, (characters: number, seed: number) => string>> = {
  prose: (characters, seed) => filled(characters, seed, (random) => `${pick(random, WORDS)} `),
  code: (characters, seed) => filled(characters, seed, (random) => `${pick(random, CODE)}\n`),
  cjk: (characters, seed) => filled(characters, seed, (random) => pick(random, CJK)),
  emoji: (characters, seed) => filled(characters, seed, (random) => pick(random, EMOJI)),
  base64: (characters, seed) => seededBytes(Math.ceil((characters / 4) * 3), seed).toString('base64'),
  spaces: (characters, seed) =>
    filled(characters, seed, (random) => pick(random, [' ', '  ', '\n', '\r\n', '\t', 'x', '\u00a0'])),
  escapes: (characters, seed) =>
    filled(characters, seed, (random) =>
      pick(random, ['\\', '"', '\n', '/', '\u0001', 'é', 'a"b', '\u007f']),
    ),
  surrogates: (characters, seed) =>
    filled(characters, seed, (random) => pick(random, ['\ud83d', '\udc00', 'word ', '😀', '\ufffd'])),
  bom: (characters, seed) =>
    `\ufeff${filled(characters, seed, (random) => pick(random, ['\ufeff', 'text ', '\ufeff\n']))}`,
  special: (characters, seed) =>
    filled(characters, seed, (random) => pick(random, ['<|endoftext|>', '<|im_start|>', 'user', '\n'])),
};

export function mixed(characters: number, seed: number): string {
  const makers = Object.values(TEXT_KINDS);
  const random = randomNumbers(seed);
  const stretch = 2_000;
  return filled(characters, seed, () => pick(random, makers)(stretch * random(), random() * 2 ** 31));
}

function filled(characters: number, seed: number, next: (random: Random) => string): string {
  const random = randomNumbers(seed);
  const parts: string[] = [];
  for (let length = 0; length < characters; ) {
    const part = next(random);
    parts.push(part);
    length += Math.max(1, part.length);
  }
  return parts.join('');
}
