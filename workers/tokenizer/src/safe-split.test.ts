import { describe, expect, it } from 'vitest';
import { ENCODINGS, type ShippedName } from './encodings.js';
import { findSafeSplit, isSafeSplit, nextSafeSplit, planChunks } from './safe-split.js';
import { TextGenerator } from './testing/generated-texts.js';
import { oracleOf } from './testing/oracle.js';
import { countWith, patternReaderOf } from './testing/readers.js';

/** One encoding of each family: the rules are about patterns. */
const ENCODING_OF_FAMILY: readonly ShippedName[] = ['o200k_base', 'cl100k_base', 'r50k_base'];

describe.each(ENCODING_OF_FAMILY)('safe splits of %s', (encoding) => {
  const { family } = ENCODINGS[encoding];
  const oracle = oracleOf(encoding);
  const encode = (text: string) => new TextEncoder().encode(text);
  const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

  it('add up exactly, at every offset', () => {
    const generator = new TextGenerator(6);
    for (let i = 0; i < 8_000; i++) {
      const text = generator.text(10);
      const bytes = encode(text);
      const whole = oracle.count(text);
      for (let at = 1; at < bytes.length; at++) {
        if (isContinuation(bytes, at) || !isSafeSplit(bytes, family, at)) continue;
        const sum = oracle.count(decode(bytes.subarray(0, at))) + oracle.count(decode(bytes.subarray(at)));
        if (sum !== whole) expect.fail(`${JSON.stringify(text)} at ${at}: ${sum} instead of ${whole}`);
      }
    }
  });

  it('are found walking forward and back', () => {
    const generator = new TextGenerator(7);
    for (let i = 0; i < 100; i++) {
      const bytes = encode(generator.text(12));
      const safe = [...bytes.keys()].filter(
        (at) => !isContinuation(bytes, at) && isSafeSplit(bytes, family, at),
      );
      for (const at of bytes.keys()) {
        expect(findSafeSplit(bytes, family, at)).toBe(safe.findLast((position) => position <= at));
        if (isContinuation(bytes, at)) continue;
        expect(nextSafeSplit(bytes, family, at)).toBe(safe.find((position) => position > at) ?? bytes.length);
      }
    }
  });

  it('end the walk where they are told', () => {
    const word = encode(`one ${'a'.repeat(1000)}`);
    expect(findSafeSplit(word, family, 500, 400)).toBeUndefined();
    expect(findSafeSplit(word, family, 500)).toBe(3);
    expect(findSafeSplit(word, family, 5000)).toBe(word.length);
  });

  it('cut a text into chunks whose tokens add up', async () => {
    const generator = new TextGenerator(8);
    const reader = await patternReaderOf(encoding);
    for (let i = 0; i < 100; i++) {
      const text = generator.repeat(5, () => generator.text(60));
      const bytes = encode(text);
      const chunks = planChunks(bytes, family, 64);
      expect(chunks.map(({ start }) => start)).toEqual([0, ...chunks.slice(0, -1).map(({ end }) => end)]);
      expect(chunks.at(-1)?.end).toBe(bytes.length);
      const sum = chunks.reduce(
        (tokens, { start, end }) => tokens + countWith(reader, decode(bytes.subarray(start, end))),
        0,
      );
      expect(sum).toBe(oracle.count(text));
    }
  });

  it('leave a text whole that has none', () => {
    const word = encode('a'.repeat(100_000));
    expect(planChunks(word, family, 1000)).toEqual([{ start: 0, end: word.length }]);
    expect(planChunks(encode(''), family)).toEqual([{ start: 0, end: 0 }]);
  });

  it('keep chunks of prose near the wanted size', () => {
    const prose = encode('The quick brown fox, 42 times. '.repeat(10_000));
    for (const { start, end } of planChunks(prose, family, 10_000).slice(0, -1)) {
      expect(end - start).toBeLessThanOrEqual(10_000);
      expect(end - start).toBeGreaterThan(9_900);
    }
  });
});

function isContinuation(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] as number) & 0xc0) === 0x80;
}
