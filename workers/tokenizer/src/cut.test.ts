import { describe, expect, it } from 'vitest';
import { ENCODING_NAMES } from './encodings.js';
import { loadCounter } from './load-counter.js';
import { TextGenerator } from './testing/generated-texts.js';
import { type Oracle, oracleOf } from './testing/oracle.js';

/** What the first tokens spell, without a character that the cut splits. */
function referenceCut(oracle: Oracle, text: string, tokens: Uint32Array, maxTokens: number): string {
  if (tokens.length <= maxTokens) return text;
  // A decoder that is told of more to come holds back an incomplete character, and never gives it out.
  const bytes = oracle.decode(tokens.subarray(0, maxTokens));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}

describe.each(ENCODING_NAMES)('cuts of %s', (encoding) => {
  const oracle = oracleOf(encoding);

  it('keep what the first tokens spell, at every token', async () => {
    const generator = new TextGenerator(5);
    const counter = await loadCounter(encoding);
    for (let i = 0; i < 60; i++) {
      const text = i % 8 === 0 ? generator.text(30) + 'aA/ '.charAt(i % 4).repeat(300) : generator.text(30);
      const bytes = new TextEncoder().encode(text);
      const tokens = oracle.encode(text);
      for (let maxTokens = 0; maxTokens <= tokens.length; maxTokens++) {
        const expected = referenceCut(oracle, text, tokens, maxTokens);
        const actual = counter.cut(text, maxTokens);
        if (actual !== expected)
          expect.fail(`${JSON.stringify(text)} cut to ${maxTokens}: ${JSON.stringify(actual)}`);
        const keptBytes = counter.cutBytes(bytes, maxTokens);
        if (keptBytes !== Buffer.byteLength(expected))
          expect.fail(`${JSON.stringify(text)} cut to ${maxTokens}: ${keptBytes} bytes`);
      }
    }
  });
});

describe('a cut', async () => {
  const counter = await loadCounter('o200k_base');

  it('returns what fits itself', () => {
    const bytes = new TextEncoder().encode('one two three');
    expect(counter.cut(bytes, 3)).toBe(bytes);
    expect(counter.cut('lone \ud83d', 100)).toBe('lone \ud83d');
  });

  it('to nothing or less is empty', () => {
    expect(counter.cut('one two', 0)).toBe('');
    expect(counter.cut('one two', -1)).toBe('');
    expect(counter.cut(new TextEncoder().encode('one'), 0)).toHaveLength(0);
  });

  it('is well-formed: lone surrogates become U+FFFD', () => {
    expect(counter.cut('\ud83d and more and more', 2)).toBe('\ufffd and');
  });

  it('of malformed bytes is a prefix of their decoding', () => {
    const malformed = Uint8Array.of(0xff, 0x61, 0x62, 0x20, 0x63, 0x20, 0x64);
    expect(new TextDecoder().decode(counter.cut(malformed, 3))).toBe('\ufffdab c');
  });

  it('keeps a leading BOM', () => {
    expect(counter.cut('\ufeffone two three', 2)).toBe('\ufeffone');
  });
});
