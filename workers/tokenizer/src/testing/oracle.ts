import { createRequire } from 'node:module';
import type { TiktokenEncoding } from 'tiktoken';
import { ENCODINGS, type ShippedName } from '../encodings.js';

const require = createRequire(import.meta.url);
const { get_encoding } = require('tiktoken') as typeof import('tiktoken');
const shipped = require('tiktoken/registry.json') as Record<string, unknown>;

const LONE_SURROGATES = /\p{Surrogate}/gu;

export interface Oracle {
  /** Tokens of tiktoken's ordinary encoding, itself and unguarded. Quadratic: for short pieces only. */
  encode(text: string): Uint32Array;
  count(text: string): number;
  decode(tokens: Uint32Array): Uint8Array;
}

const oracles = new Map<ShippedName, Oracle>();

/** The complete package with its built-in ranks, not the one without ranks that the engine uses. */
export function oracleOf(encoding: ShippedName): Oracle {
  let oracle = oracles.get(encoding);
  if (oracle === undefined) {
    const encoder = get_encoding(shippedName(encoding));
    const encode = (text: string) => encoder.encode_ordinary(text.replace(LONE_SURROGATES, '\ufffd'));
    oracle = { encode, count: (text) => encode(text).length, decode: (tokens) => encoder.decode(tokens) };
    oracles.set(encoding, oracle);
  }
  return oracle;
}

/** Aliases that tiktoken does not ship have the ranks and the pattern of another. */
function shippedName(encoding: ShippedName): TiktokenEncoding {
  const name = encoding in shipped ? encoding : ENCODINGS[encoding].vocabulary;
  return name as TiktokenEncoding;
}
