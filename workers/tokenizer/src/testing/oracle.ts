import { createRequire } from 'node:module';
import type { TiktokenEncoding } from 'tiktoken';
import type { EncodingName } from '../encodings.js';

const { get_encoding } = createRequire(import.meta.url)('tiktoken') as typeof import('tiktoken');

const LONE_SURROGATES = /\p{Surrogate}/gu;

export interface Oracle {
  /** Tokens of tiktoken's ordinary encoding, itself and unguarded. Quadratic: for short pieces only. */
  encode(text: string): Uint32Array;
  count(text: string): number;
  decode(tokens: Uint32Array): Uint8Array;
}

const oracles = new Map<EncodingName, Oracle>();

/** The complete package with its built-in ranks, not the one without ranks that the engine uses. */
export function oracleOf(encoding: EncodingName): Oracle {
  let oracle = oracles.get(encoding);
  if (oracle === undefined) {
    const encoder = get_encoding(shippedName(encoding));
    const encode = (text: string) => encoder.encode_ordinary(text.replace(LONE_SURROGATES, '\ufffd'));
    oracle = { encode, count: (text) => encode(text).length, decode: (tokens) => encoder.decode(tokens) };
    oracles.set(encoding, oracle);
  }
  return oracle;
}

/** tiktoken does not ship o200k_harmony; its ranks and pattern are those of o200k_base. */
function shippedName(encoding: EncodingName): TiktokenEncoding {
  return encoding === 'o200k_harmony' ? 'o200k_base' : encoding;
}
