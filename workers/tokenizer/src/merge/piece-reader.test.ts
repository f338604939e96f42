import { beforeAll, describe, expect, it } from 'vitest';
import { TextGenerator } from '../testing/generated-texts.js';
import { oracleOf } from '../testing/oracle.js';
import { pairRanksOf } from '../testing/readers.js';
import type { PairRanks } from './pair-ranks.js';
import { PieceReader } from './piece-reader.js';
import { WindowMerger } from './window-merger.js';

const MEGABYTE = 1_000_000;
const ENCODING = 'o200k_base';
let pairs: PairRanks;

beforeAll(async () => {
  pairs = await pairRanksOf(ENCODING);
});

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The ends of all tokens of one piece, merged whole. */
function wholeEnds(bytes: Uint8Array): number[] {
  const merger = new WindowMerger(pairs);
  merger.merge(bytes, 0, bytes.length);
  return [...merger.ends.subarray(0, merger.count)];
}

describe('one long piece', () => {
  const generator = new TextGenerator(4);
  const alphabets = ['a', 'ab', 'abc', 'the', 'abcdefghijklmnopqrstuvwxyz', 'aA', 'etaoin'];
  const pieceOf = (letters: number) => {
    const alphabet = [...generator.pick(alphabets)];
    return generator.repeat(letters, () => generator.pick(alphabet));
  };

  it('merged whole equals tiktoken', () => {
    const oracle = oracleOf(ENCODING);
    for (let i = 0; i < 100; i++) {
      const piece = pieceOf(1 + generator.below(400)).toLowerCase();
      expect(wholeEnds(bytesOf(piece)).length, piece).toBe(oracle.count(piece));
    }
  });

  it.each([2, 3, 7, 64, 300])(
    'merged in windows of %i bytes equals merged whole, at every token',
    (windowBytes) => {
      const reader = new PieceReader(pairs, windowBytes);
      for (let i = 0; i < 60; i++) {
        const bytes = bytesOf(pieceOf(1 + generator.below(500)));
        const ends = wholeEnds(bytes);
        const inWindows = ends.map((_, index) => reader.take(bytes, 0, bytes.length, index + 1).end);
        expect(inWindows).toEqual(ends);
      }
    },
  );

  it('of a megabyte takes a few steps a byte and little memory, whatever it holds', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const hostile: Record<string, string> = {
      letter: 'a'.repeat(MEGABYTE),
      zeroBase64: 'A'.repeat(MEGABYTE),
      spaces: ' '.repeat(MEGABYTE),
      alternating: 'ab'.repeat(MEGABYTE / 2),
      random: generator.repeat(MEGABYTE, () => generator.pick(letters)),
      cjk: '\u4e2d'.repeat(MEGABYTE / 3),
    };
    for (const [name, text] of Object.entries(hostile)) {
      const reader = new PieceReader(pairs);
      const bytes = bytesOf(text);
      reader.take(bytes, 0, bytes.length, Number.POSITIVE_INFINITY);
      expect(reader.steps / bytes.length, name).toBeLessThan(5);
    }
  });
});
