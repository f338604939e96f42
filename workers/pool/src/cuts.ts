import type { Cut } from '@preflight/core';

/** Cuts as a column of four numbers each, because there may be 100,000 and objects are slow to cross from a thread. */
export type PackedCuts = Int32Array;

export function packCuts(cuts: readonly Cut[]): PackedCuts {
  const packed = new Int32Array(4 * cuts.length);
  for (const [i, { index, textIndex, keepBytes, contentTokens }] of cuts.entries())
    packed.set([index, textIndex, keepBytes, contentTokens], 4 * i);
  return packed;
}

export function unpackCuts(packed: PackedCuts): Cut[] {
  return Array.from({ length: packed.length / 4 }, (_, i) => ({
    index: packed[4 * i] as number,
    textIndex: packed[4 * i + 1] as number,
    keepBytes: packed[4 * i + 2] as number,
    contentTokens: packed[4 * i + 3] as number,
  }));
}
