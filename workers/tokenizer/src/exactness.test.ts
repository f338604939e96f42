import { describe, expect, it } from 'vitest';
import { ENCODING_NAMES } from './encodings.js';
import { loadCounter } from './load-counter.js';
import { TextGenerator } from './testing/generated-texts.js';
import { oracleOf } from './testing/oracle.js';
import { countWith, patternReaderOf } from './testing/readers.js';

/** A failure must name the text; `expect` on every text would take most of the time. */
function mustAgree(actual: number, expected: number, text: string, who: string): void {
  if (actual !== expected)
    expect.fail(`${who}: ${actual} instead of ${expected} for ${JSON.stringify(text)}`);
}

describe.each(ENCODING_NAMES)('counts of %s equal tiktoken', (encoding) => {
  const oracle = oracleOf(encoding);

  it('on short texts without the help of tiktoken', async () => {
    const generator = new TextGenerator(1);
    const readers = [await patternReaderOf(encoding), await patternReaderOf(encoding, 5)];
    for (let i = 0; i < 6_000; i++) {
      const text = generator.text(16);
      const expected = oracle.count(text);
      for (const reader of readers) mustAgree(countWith(reader, text), expected, text, 'pattern reader');
    }
  });

  it.each(['kernel', 'tiktoken'] as const)('on longer texts of all kinds, with %s', async (engine) => {
    const generator = new TextGenerator(2);
    const counter = await loadCounter(encoding, { engine });
    for (let i = 0; i < 150; i++) {
      const text = generator.text(400);
      const expected = oracle.count(text);
      mustAgree(counter.count(text), expected, text, 'string');
      mustAgree(counter.count(new TextEncoder().encode(text)), expected, text, 'bytes');
    }
  });

  it('when long and short stretches alternate', async () => {
    const generator = new TextGenerator(3);
    const counter = await loadCounter(encoding, { engine: 'tiktoken' });
    for (let i = 0; i < 40; i++) {
      const long = () =>
        generator.pick(['a', 'A', ' ', '\n', '/', '\u4e2d', '\u0301', '0', "'"]).repeat(generator.below(700));
      const text = generator.repeat(6, () => generator.text(30) + long());
      mustAgree(counter.count(text), oracle.count(text), text, 'guard');
    }
  });
});

/** One encoding of each family: the classes and patterns are the same within it. */
describe.each(['o200k_base', 'cl100k_base', 'r50k_base'] as const)(
  'counts of %s equal tiktoken',
  (encoding) => {
    const oracle = oracleOf(encoding);

    it('on every code point that has a class, in several contexts', async () => {
      const reader = await patternReaderOf(encoding);
      const contexts = [
        ['a', 'b'],
        ["A'", 's '],
        ['1', '.\n'],
      ] as const;
      for (const characters of assignedCharacters(512)) {
        for (const [before, after] of contexts) {
          const text = characters.map((character) => before + character + after).join('');
          mustAgree(countWith(reader, text), oracle.count(text), text, 'code points');
        }
      }
    });
  },
);

/** All planes that hold letters, marks or numbers, without the interior of the ideographs; in groups. */
function* assignedCharacters(groupSize: number): Generator<string[]> {
  const ranges = [
    [0, 0x3500],
    [0x4db0, 0x4e10],
    [0x9ff0, 0xac10],
    [0xd790, 0x18d10],
    [0x1ad00, 0x20010],
    [0x2fa00, 0x2fa20],
    [0xe0000, 0xe0200],
  ] as const;
  for (const [from, to] of ranges)
    for (let start = from; start < to; start += groupSize)
      yield Array.from({ length: Math.min(groupSize, to - start) }, (_, offset) =>
        String.fromCodePoint(start + offset),
      );
}
