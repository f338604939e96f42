import { step } from '../steps.js';
import type { Taken } from '../token-reader.js';
import type { KernelThread } from './kernel-thread.js';

const SCAN_BYTES = 256 * 1024;
/** Encoding is slower than scanning: shorter steps. */
const ENCODE_BYTES = 128 * 1024;
const MOST_TOKENS = 0x7fffffff;

/**
 * A piece longer than a step (a megabyte of one letter): found to its end first, for the end may change how it
 * begins, then read again and encoded window by window. Neither keeps more than a step in the kernel.
 */
export class LongPiece {
  constructor(private readonly thread: KernelThread) {}

  /** Goes on with the undecided scan of the step that showed bytes from `shownAt`; -1 if the text leaves it open. */
  findEnd(bytes: Uint8Array, shownAt: number, end: number, isOpen: boolean): number {
    const { exports, text } = this.thread;
    for (let base = shownAt; ; ) {
      const at = base + exports.scanAt.value - text;
      const lengthBytes = Math.min(end - at, SCAN_BYTES);
      const isLast = at + lengthBytes === end;
      const isFinal = isLast && !isOpen;
      this.thread.show(bytes, at, lengthBytes, isFinal);
      exports.moveScan(base - at);
      base = at;
      const stop = exports.continueScan(text + lengthBytes, Number(isFinal));
      if (stop !== 0) return base + stop - text;
      if (isLast && isOpen) return -1;
      step();
    }
  }

  /** Takes tokens of the piece that is the bytes from `start` to `end`. */
  take(bytes: Uint8Array, start: number, end: number, maxTokens: number): Taken {
    const { exports, text } = this.thread;
    exports.beginRun(text, Math.min(maxTokens, MOST_TOKENS));
    for (let base = start; ; ) {
      const lengthBytes = Math.min(end - base, ENCODE_BYTES);
      const isLast = base + lengthBytes === end;
      this.thread.show(bytes, base, lengthBytes, false);
      exports.encodeRun(text + lengthBytes);
      if (!isLast) exports.settle();
      const tokens = exports.settledTokens.value + (isLast ? exports.stackedTokens.value : 0);
      if (tokens >= maxTokens) return { tokens: maxTokens, end: base + exports.endOfWanted() - text };
      if (isLast) return { tokens, end };
      // What has settled is not needed again.
      const settledBytes = exports.stackedEnd(-1) - text;
      exports.moveStack(-settledBytes);
      base += settledBytes;
      step();
    }
  }
}
