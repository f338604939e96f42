import { describe, expect, it } from 'vitest';
import { type Merge, orderByMerges } from './merge-order.js';

/** A vocabulary of all bytes and some tokens, whose ids follow. */
function vocabulary(...texts: string[]) {
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [byte, String.fromCharCode(byte)]));
  for (const [i, text] of texts.entries()) bytes.set(256 + i, text);
  const idOf = new Map([...bytes].map(([id, text]) => [text, id]));
  const merge = (left: string, right: string): Merge =>
    [left, right, left + right].map((text) => idOf.get(text)) as unknown as Merge;
  return { bytes, merge };
}

describe('the order of merges', () => {
  it('is that of the list, not that of the ids', () => {
    const { bytes, merge } = vocabulary('ab', 'bc');
    const { tokens } = orderByMerges(bytes, [merge('b', 'c'), merge('a', 'b')]);
    expect(tokens.slice(256)).toEqual(['bc', 'ab']);
  });

  it('leaves out pairs that never meet, and tokens that no pair leads to', () => {
    const { bytes, merge } = vocabulary('ab', 'bc', 'abc', 'xyz');
    const { tokens, halves, unreachable } = orderByMerges(bytes, [
      merge('a', 'b'),
      merge('b', 'c'),
      merge('a', 'bc'),
      merge('ab', 'c'),
    ]);
    expect(tokens.slice(256)).toEqual(['ab', 'bc', 'abc']);
    expect(halves[258]).toEqual([256, 'c'.charCodeAt(0)]);
    expect(unreachable).toEqual(['xyz']);
  });

  it('puts a token that is listed before its half right behind it', () => {
    const { bytes, merge } = vocabulary('abc', 'ab', 'xy');
    const { tokens } = orderByMerges(bytes, [merge('ab', 'c'), merge('a', 'b'), merge('x', 'y')]);
    expect(tokens.slice(256)).toEqual(['ab', 'abc', 'xy']);
  });

  it('refuses a token that competes with its half for a neighbour', () => {
    // Of `abab`, `aba` would form and leave `b`; with `aba` behind `ab` it would be `ab`, `ab`.
    const { bytes, merge } = vocabulary('aba', 'ab');
    expect(() => orderByMerges(bytes, [merge('ab', 'a'), merge('a', 'b')])).toThrow(/competes/);
  });
});
