import { setMaxListeners } from 'node:events';
import type { BatchCursor, BatchStore } from '@preflight/storage';
import type { Admission } from '../admission.js';
import type { Answerer } from '../answerer.js';
import { BodyBuffers } from '../body-buffers.js';
import { answerLine } from './answer-line.js';
import { readBatch } from './batch-reader.js';
import { BatchWriter } from './batch-writer.js';
import { linesOf } from './lines.js';
import { runBatch } from './run-batch.js';

export interface BatchCallsOptions {
  readonly answerer: Pick<Answerer, 'preflight' | 'count'>;
  readonly store: BatchStore;
  readonly admission: Admission;
  readonly lineLimitBytes: number;
  /** Of one line. */
  readonly deadlineMs: number;
  /** Aborted when the service stops: lines under way are finished, and whoever reads is cut off. */
  readonly draining: AbortSignal;
}

/** One upload. */
export interface BatchUpload {
  readonly batchId: string;
  readonly call: 'preflight' | 'count';
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborted when the caller has gone; then lines without a result are for whoever comes back to send them again. */
  readonly over: AbortSignal;
}

const MIB = 1024 * 1024;
const LINES_AT_ONCE = 16;
const BYTES_AT_ONCE = 16 * MIB;

/** Memory of lines that is used again: what is not would wait for the garbage collector, which does not see it. */
const KEPT_MEMORY_BYTES = 32 * MIB;

/** Results that may wait for their reader; then the upload waits. */
const STORED_BYTES = 32 * MIB;

/** Results that were sent and are kept for a reader who comes back; twice as much, when they are let go in turns. */
const KEPT_BYTES = 4 * MIB;

/** Many requests in one stream, whose results come in another, or in the answer of the same. */
export class BatchCalls {
  readonly #options: BatchCallsOptions;

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
  async answer(upload: BatchUpload, emit: (record: Uint8Array) => Promise<void>): Promise<number> {
    const { answerer, admission, lineLimitBytes, deadlineMs } = this.#options;
    const { batchId, call, over } = upload;
    const permit = admission.admit(Math.min(BYTES_AT_ONCE, admission.limitBytes));
    // Broken off for all lines when the caller has gone, or the first of them finds that there is no use in going on.
    const failing = new AbortController();
    const signal = AbortSignal.any([over, failing.signal]);
    setMaxListeners(0, signal);
    const memory = new BodyBuffers(KEPT_MEMORY_BYTES);
    const instance = `/v1/batches/${batchId}`;
    const lineOptions = { answerer, call, admission, lineLimitBytes, deadlineMs, instance, signal };
    try {
      return await runBatch(linesOf(upload.chunks, { limitBytes: lineLimitBytes, memory }), {
        linesAtOnce: LINES_AT_ONCE,
        bytesAtOnce: BYTES_AT_ONCE,
        signal,
        async perform(line) {
          try {
            const { record, isDone } = await answerLine(line, lineOptions);
            if (isDone && line.bytes) memory.giveBack(line.bytes);
            await emit(record);
          } catch (error) {
            failing.abort(error);
            throw error;
          }
        },
      });
    } finally {
      permit.release();
    }
  }

  /** Results behind the cursor, as they come. Undefined if the batch is unknown. */
  async results(
    batchId: string,
    after: BatchCursor,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer> | undefined> {
    const { store, draining } = this.#options;
    if ((await store.state(batchId)) === undefined) return undefined;
    return readBatch({
      store,
      batchId,
      after,
      keptBytes: KEPT_BYTES,
      signal: AbortSignal.any([signal, draining]),
    });
  }
}
