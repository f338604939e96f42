import { setMaxListeners } from 'node:events';
import { type AnswerLineOptions, answerLine } from './answer-line.js';
import { BatchMemory } from './line-memory.js';
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

export interface BatchAnswering
  extends Pick<AnswerLineOptions, 'answerer' | 'admission' | 'lineLimitBytes' | 'deadlineMs'> {
  /** That of all batches of the process; without it, of this one. */
  readonly memory?: BatchMemory;
}

const MIB = 1024 * 1024;
const LINES_AT_ONCE = 16;
const BYTES_AT_ONCE = 16 * MIB;

/**
 * Answers the lines of a stream of any length in constant memory, several at a time. `emit` gets each result without its
 * opening brace and its status; the next lines are taken when it has done with it. Resolves with the number of lines.
 * Rejects with `overloaded`, and what `emit` rejects with or the chunks end by.
 */
export async function answerBatch(
  { batchId, call, chunks, over, isDone }: BatchUpload,
  emit: (record: Uint8Array, status: number) => Promise<void>,
  {
    answerer,
    admission,
    lineLimitBytes,
    deadlineMs,
    memory: batchMemory = new BatchMemory(),
  }: BatchAnswering,
): Promise<number> {
  const permit = admission.admit(Math.min(BYTES_AT_ONCE, admission.limitBytes));
  // Broken off for all lines when the caller has gone, or the first of them finds that there is no use in going on.
  const failing = new AbortController();
  const signal = AbortSignal.any([over, failing.signal]);
  setMaxListeners(0, signal);
  const memory = batchMemory.take();
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
          // Nothing works on it any more, and the result has no part of its memory.
          if (result.isOver && line.bytes) memory.giveBack(line.bytes);
          if (result.record) await emit(result.record, result.status);
        } catch (error) {
          failing.abort(error);
          throw error;
        }
      },
    });
  } finally {
    permit.release();
    batchMemory.giveBack(memory);
  }
}
