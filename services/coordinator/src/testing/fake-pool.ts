import { createHash } from 'node:crypto';
import {
  BlobPiece,
  type Countable,
  PreflightError,
  type Referring,
  TextRange,
  writePiece,
} from '@preflight/core';
import type { CountOptions, Digest, Pool, WorkOptions } from '@preflight/pool';

/** Bytes as tokens, counted when the test says so. */
export class FakePool {
  /** What was asked to be counted, call by call. */
  readonly counted: string[][] = [];
  readonly digested: string[][] = [];
  #isOpen = true;
  #waiting: { resume: () => void; fail: (error: Error) => void }[] = [];

  asPool(): Pool {
    return this as unknown as Pool;
  }

  /** Counting waits from now on. */
  hold(): void {
    this.#isOpen = false;
  }

  resume(): void {
    this.#isOpen = true;
    for (const { resume } of this.#waiting.splice(0)) resume();
  }

  /** The oldest call that waits. */
  failFirst(error: Error): void {
    this.#waiting.shift()?.fail(error);
  }

  get waitingCalls(): number {
    return this.#waiting.length;
  }

  async countAll(
    _encoding: string,
    countables: readonly Countable[],
    options: CountOptions,
  ): Promise<Int32Array> {
    this.counted.push(countables.map(textOf));
    await this.#turn(options.signal);
    const tokens = Int32Array.from(countables, (countable) => Buffer.byteLength(textOf(countable)));
    for (const [i, count] of tokens.entries()) options.onCounted?.(i, count);
    return tokens;
  }

  async digestAll(countables: readonly Countable[], _options: WorkOptions): Promise<Digest[]> {
    this.digested.push(countables.map(textOf));
    return countables.map((countable, item) => {
      const bad = countable.some((piece) => isText(piece, '*'));
      if (bad) throw new PreflightError('invalid_base64', { params: { item } });
      const isPlain = countable.every((piece) => typeof piece === 'string' || piece instanceof TextRange);
      return { hex: createHash('sha256').update(textOf(countable)).digest('hex'), isPlain };
    });
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.#isOpen) return Promise.resolve();
    return new Promise((resume, fail) => {
      this.#waiting.push({ resume, fail });
      signal?.addEventListener('abort', () => fail(new PreflightError('request_cancelled')));
    });
  }
}

function isText(piece: Countable[number], text: string): boolean {
  return typeof piece === 'object' && !(piece instanceof TextRange) && textOf([piece.text]) === text;
}

export function textOf(countable: Referring): string {
  return countable
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if (piece instanceof BlobPiece) return `<${piece.as} of ${piece.blob.sha256}>`;
      if (piece instanceof TextRange) return Buffer.from(piece.bytes()).toString();
      const bytes = Buffer.from(textOf([piece.text]));
      return Buffer.from(writePiece(piece, bytes) ?? bytes).toString();
    })
    .join('');
}

/** A text in shared memory, as a body's long texts are. */
export function range(text: string): TextRange {
  const bytes = Buffer.from(text);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, 0, bytes.length);
}
