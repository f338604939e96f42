import { PairRanks } from './pair-ranks.js';
import { WindowMerger } from './window-merger.js';

/**
 * Makes the pair table of a vocabulary from the rank data that tiktoken ships (lines of `! first-rank
 * token…`, tokens in base64, ranks ascending). Merging the bytes of a token with all lower ranks leaves the
 * two parts that join to it. Takes some 300 ms for o200k_base.
 *
 * Throws if a token cannot be reached by merging, since then ranks of pairs would not tell all: none is
 * in the shipped encodings.
 */
export function buildPairRanks(rankData: string): PairRanks {
  const lines = rankData.split('\n').map((line) => line.split(' '));
  const pairs = new PairRanks(lines.reduce((sum, words) => sum + words.length, 0));
  const merger = new WindowMerger(pairs);
  for (const [, firstRank, ...tokens] of lines) {
    let rank = Number(firstRank);
    for (const token of tokens) addToken(pairs, merger, Buffer.from(token, 'base64'), rank++);
  }
  return pairs;
}

function addToken(pairs: PairRanks, merger: WindowMerger, bytes: Uint8Array, rank: number): void {
  if (bytes.length === 1) {
    pairs.byteIds[bytes[0] as number] = rank;
    return;
  }
  merger.merge(bytes, 0, bytes.length);
  if (merger.count !== 2) throw new Error(`the token of rank ${rank} cannot be reached by merging`);
  pairs.add(merger.ids[0] as number, merger.ids[1] as number, rank);
}
