import { PreflightError } from '@preflight/core';
import type { BatchCursor, BatchPiece, BatchState, BatchStore, BatchStoreOptions } from './batch-store.js';
import { piecesOf, storedBytesOf } from './piece-bytes.js';

export interface MemoryBatchStoreOptions extends BatchStoreOptions {
  /** All batches together. Default 256 MiB. */
  readonly maxBytes?: number | undefined;
  readonly now?: () => number;
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

/** Pieces that are read at a time, of 512 KiB at most. */
const READ_PIECES = 16;

interface Batch {
  /** Their cursors are ascending numbers. */
  readonly pieces: BatchPiece[];
  storedBytes: number;
  /** Of the newest piece that ever came. */
  lastPiece: number | undefined;
  /** By writer. */
  readonly openUntilMs: Map<string, number>;
  expiresAtMs: number;
}

/** Batches in the memory of this process. */
export class MemoryBatchStore implements BatchStore {
  readonly #batches = new Map<string, Batch>();
  readonly #lifetimeMs: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  /** Begins with the time, so that cursors of an earlier process are behind all of this one. */
  #nextPiece: number;

  constructor({ lifetimeMs, maxBytes = DEFAULT_MAX_BYTES, now = Date.now }: MemoryBatchStoreOptions) {
    this.#lifetimeMs = lifetimeMs;
    this.#maxBytes = maxBytes;
    this.#now = now;
    this.#nextPiece = now() * 1000 + 1;
  }

  async open(batchId: string, writer: string, openForMs: number): Promise<void> {
    this.#touch(batchId).openUntilMs.set(writer, this.#now() + openForMs);
  }

  async end(batchId: string, writer: string): Promise<void> {
    this.#touch(batchId).openUntilMs.delete(writer);
  }

  async append(batchId: string, record: Uint8Array): Promise<number> {
    const batch = this.#touch(batchId);
    const pieces = piecesOf(record);
    const bytes = storedBytesOf(pieces);
    this.#makeRoom(bytes);
    for (const [i, piece] of pieces.entries())
      batch.pieces.push({
        cursor: String(this.#nextPiece++),
        bytes: Buffer.from(piece),
        isFirst: i === 0,
      });
    batch.lastPiece = this.#nextPiece - 1;
    batch.storedBytes += bytes;
    return batch.storedBytes;
  }

  async read(batchId: string, after: BatchCursor): Promise<BatchPiece[]> {
    const { pieces } = this.#find(batchId) ?? { pieces: [] };
    const start = countUpTo(pieces, after);
    return pieces.slice(start, start + READ_PIECES);
  }

  async hasReached(batchId: string, cursor: BatchCursor): Promise<boolean> {
    const lastPiece = this.#find(batchId)?.lastPiece ?? this.#nextPiece - 1;
    return Number(cursor) <= lastPiece;
  }

  async forget(batchId: string, upTo: BatchCursor): Promise<void> {
    const batch = this.#find(batchId);
    if (batch === undefined) return;
    const forgotten = batch.pieces.splice(0, countUpTo(batch.pieces, upTo));
    batch.storedBytes -= storedBytesOf(forgotten.map(({ bytes }) => bytes));
    this.#touch(batchId);
  }

  async state(batchId: string): Promise<BatchState | undefined> {
    const batch = this.#find(batchId);
    if (batch === undefined) return undefined;
    const isEnded = [...batch.openUntilMs.values()].every((untilMs) => untilMs <= this.#now());
    return { storedBytes: batch.storedBytes, isEnded };
  }

  async close(): Promise<void> {
    this.#batches.clear();
  }

  #find(batchId: string): Batch | undefined {
    const batch = this.#batches.get(batchId);
    if (batch === undefined || batch.expiresAtMs > this.#now()) return batch;
    this.#batches.delete(batchId);
    return undefined;
  }

  #touch(batchId: string): Batch {
    let batch = this.#find(batchId);
    if (batch === undefined) {
      batch = { pieces: [], storedBytes: 0, lastPiece: undefined, openUntilMs: new Map(), expiresAtMs: 0 };
      this.#batches.set(batchId, batch);
    }
    batch.expiresAtMs = this.#now() + this.#lifetimeMs;
    return batch;
  }

  #makeRoom(neededBytes: number): void {
    let usedBytes = neededBytes;
    for (const batchId of [...this.#batches.keys()]) usedBytes += this.#find(batchId)?.storedBytes ?? 0;
    if (usedBytes <= this.#maxBytes) return;
    throw new PreflightError('overloaded', {
      internalDetail: 'the batch store is full',
      params: { usedBytes, limitBytes: this.#maxBytes },
    });
  }
}

/** How many pieces stand up to a cursor. There may be 100,000, and they are read 16 at a time. */
function countUpTo(pieces: readonly BatchPiece[], cursor: BatchCursor): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(pieces[middle]?.cursor) <= Number(cursor)) low = middle + 1;
    else high = middle;
  }
  return low;
}
