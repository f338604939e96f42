import type { PatternFamily } from '../encodings.js';
import type { PairRanks } from '../merge/pair-ranks.js';
import { PieceReader } from '../merge/piece-reader.js';
import type { Taken, TokenReader } from '../token-reader.js';
import { PIECE_END, type PieceEnd } from './piece-end.js';

/**
 * Reads tokens without tiktoken: the pattern cuts pieces, the pair table merges them. Linear on every
 * input.
 */
export class PatternReader implements TokenReader {
  private readonly pieceEnd: PieceEnd;
  readonly pieces: PieceReader;

  constructor(family: PatternFamily, pairs: PairRanks, windowBytes?: number) {
    this.pieceEnd = PIECE_END[family];
    this.pieces = new PieceReader(pairs, windowBytes);
  }

  take(bytes: Uint8Array, start: number, end: number, maxTokens: number): Taken {
    const stretch = { bytes, end };
    let tokens = 0;
    let at = start;
    while (at < end && tokens < maxTokens) {
      const taken = this.pieces.take(bytes, at, this.pieceEnd(stretch, at), maxTokens - tokens);
      tokens += taken.tokens;
      at = taken.end;
    }
    return { tokens, end: at };
  }

  /** The ids of all tokens of a text: well-formed UTF-8. */
  encode(bytes: Uint8Array): number[] {
    const stretch = { bytes, end: bytes.length };
    const ids: number[] = [];
    for (let at = 0; at < bytes.length; ) {
      const pieceEnd = this.pieceEnd(stretch, at);
      this.pieces.encode(bytes, at, pieceEnd, ids);
      at = pieceEnd;
    }
    return ids;
  }
}
