import { ENCODINGS, type ShippedName } from '../encodings.js';
import { buildPairRanks } from '../merge/build-pair-ranks.js';
import type { PairRanks } from '../merge/pair-ranks.js';
import { PatternReader } from '../pieces/pattern-reader.js';
import { importEncodingData } from '../tiktoken/encoding-data.js';
import type { TokenReader } from '../token-reader.js';

const pairRanks = new Map<ShippedName, PairRanks>();

export async function pairRanksOf(encoding: ShippedName): Promise<PairRanks> {
  const { bpe_ranks } = await importEncodingData(encoding);
  const pairs = pairRanks.get(encoding) ?? buildPairRanks(bpe_ranks);
  pairRanks.set(encoding, pairs);
  return pairs;
}

/** The reader behind the guard, on whole texts: tiktoken is its oracle where tiktoken answers in time. */
export async function patternReaderOf(encoding: ShippedName, windowBytes?: number): Promise<PatternReader> {
  return new PatternReader(ENCODINGS[encoding].family, await pairRanksOf(encoding), windowBytes);
}

export function countWith(reader: TokenReader, text: string): number {
  const bytes = new TextEncoder().encode(text);
  return reader.take(bytes, 0, bytes.length, Number.POSITIVE_INFINITY).tokens;
}
