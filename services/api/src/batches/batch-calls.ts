import { PreflightError } from '@preflight/core';
import type { BatchCursor, BatchStore } from '@preflight/storage';
import { answerBatch, type BatchAnswering, type BatchUpload } from './answer-batch.js';
import { readBatch } from './batch-reader.js';
import { BatchWriter } from './batch-writer.js';
import { BatchMemory } from './line-memory.js';

export interface BatchCallsOptions extends Omit<BatchAnswering, 'memory'> {
  readonly store: BatchStore;
  /** Aborted when the service stops: lines under way are finished, and whoever reads is cut off. */
  readonly draining: AbortSignal;
}

const MIB = 1024 * 1024;

/** Results that may wait for their reader; then the upload waits. */
const STORED_BYTES = 32 * MIB;

/** Results that were sent and are kept for a reader who comes back; twice as much, when they are let go in turns. */
const KEPT_BYTES = 4 * MIB;

/** Batches whose results come in another stream, or in the answer of the same. */
export class BatchCalls {
  readonly #options: BatchCallsOptions;
  readonly #memory = new BatchMemory();

  constructor(options: BatchCallsOptions) {
    this.#options = options;
  }

  /**
   * Takes all lines of an upload; their results go to the store. Resolves with their number when the last has its
   * result. Rejects with `results_not_read`, `overloaded`, `shutting_down`, and what the chunks end by.
   */
  async receive(upload: BatchUpload): Promise<number> {
    const { store, deadlineMs, draining } = this.#options;
    const { batchId } = upload;
    const options = { store, batchId, limitBytes: STORED_BYTES, patienceMs: deadlineMs, draining };
    const writer = await BatchWriter.open(options);
    try {
      return await this.answer(upload, (record) => writer.append(record));
    } finally {
      await writer.end();
    }
  }

  /** The same, with results to wherever `emit` brings them; the next lines are taken when it has. */
  answer(upload: BatchUpload, emit: (record: Uint8Array) => Promise<void>): Promise<number> {
    return answerBatch(upload, emit, { ...this.#options, memory: this.#memory });
  }

  /**
   * Results behind the cursor, as they come. Undefined if the batch is unknown. Rejects with `invalid_request` for a
   * cursor that nobody can have: to read from there would let go of results that nobody has read.
   */
  async results(
    batchId: string,
    after: BatchCursor,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer> | undefined> {
    const { store, draining } = this.#options;
    if ((await store.state(batchId)) === undefined) return undefined;
    if (!(await store.hasReached(batchId, after))) throw cursorNotReached();
    return readBatch({
      store,
      batchId,
      after,
      keptBytes: KEPT_BYTES,
      signal: AbortSignal.any([signal, draining]),
    });
  }
}

function cursorNotReached(): PreflightError {
  const detail = 'is no cursor of a result of this batch: leave it out to read all that is kept';
  return new PreflightError('invalid_request', {
    publicDetail: `/after ${detail}.`,
    issues: [{ pointer: '/after', detail }],
  });
}
