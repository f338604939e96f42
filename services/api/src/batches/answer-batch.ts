import { setMaxListeners } from 'node:events';
import { BodyBuffers } from '../body-buffers.js';
import { type AnswerLineOptions, answerLine } from './answer-line.js';
import { linesOf } from './lines.js';
import { runBatch } from './run-batch.js';

/** Many requests in one stream, one on a line. */
export interface BatchUpload {
  readonly batchId: string;
  readonly call: 'preflight' | 'count';
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborted when the caller has gone; then lines without a result are for whoever comes back to send them again. */
  readonly over: AbortSignal;
  /** Lines that are left out, by their ids. */
  readonly isDone?: (id: string) => boolean;
}

export type BatchAnswering = Pick<
  AnswerLineOptions,
  'answerer' | 'admission' | 'lineLimitBytes' | 'deadlineMs'
>;

const MIB = 1024 * 1024;
const LINES_AT_ONCE = 16;
const BYTES_AT_ONCE = 16 * MIB;

/** Memory of lines that is used again: what is not would wait for the garbage collector, which does not see it. */
const KEPT_MEMORY_BYTES = 32 * MIB;

/**
 * Answers the lines of a stream of any length in constant memory, several at a time. `emit` gets each result without its
 * opening brace and its status; the next lines are taken when it has done with it. Resolves with the number of lines.
 * Rejects with `overloaded`, and what `emit` rejects with or the chunks end by.
 */
export async function answerBatch(
  { batchId, call, chunks, over, isDone }: BatchUpload,
  emit: (record: Uint8Array, status: number) => Promise<void>,
  { answerer, admission, lineLimitBytes, deadlineMs }: BatchAnswering,
): Promise<number> {
  const permit = admission.admit(Math.min(BYTES_AT_ONCE, admission.limitBytes));
  // Broken off for all lines when the caller has gone, or the first of them finds that there is no use in going on.
  const failing = new AbortController();
  const signal = AbortSignal.any([over, failing.signal]);
  setMaxListeners(0, signal);
  const memory = new BodyBuffers(KEPT_MEMORY_BYTES);
  const instance = `/v1/batches/${batchId}`;
  const options = { answerer, call, admission, lineLimitBytes, deadlineMs, instance, signal, isDone };
  try {
    return await runBatch(linesOf(chunks, { limitBytes: lineLimitBytes, memory }), {
      linesAtOnce: LINES_AT_ONCE,
      bytesAtOnce: BYTES_AT_ONCE,
      signal,
      async perform(line) {
        try {
          const result = await answerLine(line, options);
          if (result === undefined) return;
          // No thread works on it any more, and the result has no part of its memory.
          if (result.status === 200 && line.bytes) memory.giveBack(line.bytes);
          await emit(result.record, result.status);
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
