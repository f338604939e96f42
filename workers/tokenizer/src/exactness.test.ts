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
    for (let i = 0; i < 20_000; i++) {
      const text = generator.text(16);
      const expected = oracle.count(text);
      for (const reader of readers) mustAgree(countWith(reader, text), expected, text, 'pattern reader');
    }
  });

  it('on longer texts of all kinds, as string and as bytes', async () => {
    const generator = new TextGenerator(2);
    const counter = await loadCounter(encoding);
    for (let i = 0; i < 600; i++) {
      const text = generator.text(400);
      const expected = oracle.count(text);
      mustAgree(counter.count(text), expected, text, 'string');
      mustAgree(counter.count(new TextEncoder().encode(text)), expected, text, 'bytes');
    }
  });

  it('on every code point between letters, digits, symbols and spaces', async () => {
    const reader = await patternReaderOf(encoding);
    const contexts: readonly (readonly [string, string])[] = [
      ['a', 'b'],
      ['A', 'B'],
      ["'", 's'],
      ['1', '2'],
      ['. ', '.\n'],
      ['  ', ' '],
    ];
    for (let from = 0; from < 0x110000; from += 0x100) {
      const characters = Array.from({ length: 0x100 }, (_, offset) => String.fromCodePoint(from + offset));
      for (const [before, after] of contexts) {
        const text = characters.map((character) => before + character + after).join('');
        mustAgree(countWith(reader, text), oracle.count(text), text, 'code points');
      }
    }
  });

  it('when long and short stretches alternate', async () => {
    const generator = new TextGenerator(3);
    const counter = await loadCounter(encoding);
    for (let i = 0; i < 40; i++) {
      const long = () =>
        generator.pick(['a', 'A', ' ', '\n', '/', '\u4e2d', '\u0301', '0', "'"]).repeat(generator.below(700));
      const text = generator.repeat(6, () => generator.text(30) + long());
      mustAgree(counter.count(text), oracle.count(text), text, 'guard');
    }
  });
});
