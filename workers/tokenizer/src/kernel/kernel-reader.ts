import { step } from '../steps.js';
import type { OpenTokenReader, Taken } from '../token-reader.js';
import type { KernelThread } from './kernel-thread.js';
import { LongPiece } from './long-piece.js';

/** Bytes of one call: optimised code takes over between calls, and a deadline can be looked at. */
const STEP_BYTES = 256 * 1024;
/** A piece that is undecided after so many bytes is scanned to its end first, then encoded. */
const LONG_PIECE_BYTES = 64 * 1024;
const MOST_TOKENS = 0x7fffffff;

/** Takes tokens with the WASM kernel, step by step. */
export class KernelReader implements OpenTokenReader {
  private readonly longPiece: LongPiece;

  constructor(private readonly thread: KernelThread) {
    this.longPiece = new LongPiece(thread);
  }

  take(bytes: Uint8Array, start: number, end: number, maxTokens: number): Taken {
    return this.takeSteps(bytes, start, end, maxTokens, false);
  }

  takeSettled(bytes: Uint8Array): Taken {
    return this.takeSteps(bytes, 0, bytes.length, Number.POSITIVE_INFINITY, true);
  }

  /** Step by step, so that the bytes of the string never stand in memory whole: fresh memory costs more than to encode. */
  countString(text: string, maxTokens: number): number {
    const { exports, text: area } = this.thread;
    let tokens = 0;
    let heldBytes = 0;
    for (let at = 0; ; ) {
      const { read, written } = this.thread.encode(at === 0 ? text : text.slice(at), heldBytes, STEP_BYTES);
      at += read;
      const lengthBytes = heldBytes + written;
      const isFinal = at === text.length;
      if (isFinal) this.thread.markEnd(lengthBytes);
      const limit = Math.min(maxTokens - tokens, MOST_TOKENS);
      const stop = exports.step(area, area + lengthBytes, Number(isFinal), limit);
      tokens += exports.tokens.value;
      if (exports.exceedingEnd.value !== 0) return maxTokens;
      if (isFinal || tokens >= maxTokens) return tokens;
      heldBytes = area + lengthBytes - stop;
      this.thread.keep(stop, heldBytes);
      if (heldBytes > LONG_PIECE_BYTES) {
        const rest = this.thread.joined(heldBytes, text.slice(at));
        return tokens + this.take(rest, 0, rest.length, maxTokens - tokens).tokens;
      }
      step();
    }
  }

  /** If `isOpen`, more text may follow: what it could change is not taken. */
  private takeSteps(
    bytes: Uint8Array,
    start: number,
    end: number,
    maxTokens: number,
    isOpen: boolean,
  ): Taken {
    const { exports, text } = this.thread;
    let at = start;
    let tokens = 0;
    while (at < end && tokens < maxTokens) {
      const lengthBytes = Math.min(end - at, STEP_BYTES);
      const isLast = at + lengthBytes === end;
      const isFinal = isLast && !isOpen;
      this.thread.show(bytes, at, lengthBytes, isFinal);
      const limit = Math.min(maxTokens - tokens, MOST_TOKENS);
      const stop = exports.step(text, text + lengthBytes, Number(isFinal), limit);
      tokens += exports.tokens.value;
      const shownAt = at;
      at += stop - text;
      if (exports.exceedingEnd.value !== 0)
        return { tokens: maxTokens, end: at + this.partBytes(stop, maxTokens - tokens) };
      if (tokens >= maxTokens || isFinal) continue;
      if (shownAt + lengthBytes - at > LONG_PIECE_BYTES) {
        const pieceEnd = this.longPiece.findEnd(bytes, shownAt, end, isOpen);
        if (pieceEnd < 0) break;
        const taken = this.longPiece.take(bytes, at, pieceEnd, maxTokens - tokens);
        tokens += taken.tokens;
        at = taken.end;
      } else if (isLast) break;
      step();
    }
    return { tokens, end: at };
  }

  /** Bytes of the first tokens of the piece at `start` that the last step did not count. */
  private partBytes(start: number, wantedTokens: number): number {
    const { exports } = this.thread;
    exports.beginRun(start, wantedTokens);
    exports.encodeRun(exports.exceedingEnd.value);
    return exports.endOfWanted() - start;
  }
}
