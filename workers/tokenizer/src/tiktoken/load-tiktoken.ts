import { Tiktoken } from 'tiktoken/lite';
import type { Counter } from '../counter.js';
import { ENCODINGS, type ShippedName } from '../encodings.js';
import { buildPairRanks } from '../merge/build-pair-ranks.js';
import { PatternReader } from '../pieces/pattern-reader.js';
import { ReaderCounter } from '../reader-counter.js';
import type { TokenReader } from '../token-reader.js';
import { importEncodingData } from './encoding-data.js';
import { GuardedReader } from './guarded-reader.js';

/**
 * A counter with tiktoken as its engine. Takes some 0.4 s for o200k_base; the tables of the linear reader (4
 * MB, as much time again) are made when the first long stretch is met. The encoder is never freed: encoders
 * made repeatedly crash (dqbd/tiktoken#35), so make one a thread and keep it.
 */
export async function loadTiktokenCounter(encoding: ShippedName): Promise<Counter> {
  const { bpe_ranks, pat_str } = await importEncodingData(encoding);
  const { family } = ENCODINGS[encoding];
  const encoder = new Tiktoken(bpe_ranks, {}, pat_str);
  let linear: TokenReader | undefined;
  const loadLinear = (): TokenReader => {
    linear ??= new PatternReader(family, buildPairRanks(bpe_ranks));
    return linear;
  };
  return new ReaderCounter(encoding, 'tiktoken', new GuardedReader(encoder, family, loadLinear));
}
