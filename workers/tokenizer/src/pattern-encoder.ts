import { ENCODINGS, type ShippedName } from './encodings.js';
import type { Encoder } from './load-encoder.js';
import { buildPairRanks } from './merge/build-pair-ranks.js';
import { PatternReader } from './pieces/pattern-reader.js';
import { importEncodingData } from './tiktoken/encoding-data.js';
import { wellFormedBytes } from './utf8.js';

/** An encoder that takes the pieces of the pattern one by one and merges each. */
export async function loadPatternEncoder(encoding: ShippedName): Promise<Encoder> {
  const { bpe_ranks } = await importEncodingData(encoding);
  const reader = new PatternReader(ENCODINGS[encoding].family, buildPairRanks(bpe_ranks));
  return { encoding, encode: (text) => Int32Array.from(reader.encode(wellFormedBytes(text))) };
}
