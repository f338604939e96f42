import type { IncrementalCount } from './counter.js';
import type { OpenTokenReader } from './token-reader.js';

/** So much is gathered before any of it is counted. */
const FIRST_ATTEMPT_BYTES = 256 * 1024;

const encoder = new TextEncoder();

/**
 * Counts text that arrives in chunks, cut anywhere. Holds what later text could change: a few bytes, or an unbroken
 * piece (a run of letters) as far as it came.
 */
export class ReaderIncrementalCount implements IncrementalCount {
  /** Joins characters that chunks have cut, and replaces what is malformed, as decoding the whole would. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #highSurrogate = '';
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** Tried again when this much is held: twice what was left, so that a growing piece is read linearly. */
  #attemptBytes: number;
  #tokens = 0;

  constructor(
    private readonly reader: OpenTokenReader,
    private readonly firstAttemptBytes = FIRST_ATTEMPT_BYTES,
  ) {
    this.#attemptBytes = firstAttemptBytes;
  }

  push(chunk: string | Uint8Array): void {
    this.#hold(
      typeof chunk === 'string'
        ? this.#decoder.decode() + chunk
        : this.#decoder.decode(chunk, { stream: true }),
    );
    if (this.#heldBytes < this.#attemptBytes) return;
    const bytes = Buffer.concat(this.#held);
    const taken = this.reader.takeSettled(bytes);
    this.#tokens += taken.tokens;
    this.#held = [bytes.subarray(taken.end)];
    this.#heldBytes = bytes.length - taken.end;
    this.#attemptBytes = Math.max(this.firstAttemptBytes, 2 * this.#heldBytes);
  }

  finish(): number {
    this.#hold(this.#decoder.decode());
    const rest = Buffer.concat([...this.#held, encoder.encode(this.#highSurrogate)]);
    return this.#tokens + this.reader.take(rest, 0, rest.length, Number.POSITIVE_INFINITY).tokens;
  }

  /** The second half of a character outside the basic plane may come with the next chunk. */
  #hold(given: string): void {
    if (given === '') return;
    const text = this.#highSurrogate + given;
    const isCut = text.charCodeAt(text.length - 1) >> 10 === 0xd800 >> 10;
    this.#highSurrogate = isCut ? text.slice(-1) : '';
    const bytes = encoder.encode(isCut ? text.slice(0, -1) : text);
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }
}
