import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseBodySteps, writeJsonSteps } from '@preflight/body';
import { ERROR_CATALOG, isObject, type Json, type JsonObject, PreflightError } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { AnswerContext, Answerer } from '../answerer.js';
import type { Answer } from '../answers/answer.js';
import type { Admission } from '../body/admission.js';
import { ANSWERED, Over } from '../connections/over.js';
import { requestSignal } from '../connections/request-signal.js';
import { problemOf, toPreflightError } from '../problems/problems.js';
import type { Line } from './lines.js';

export interface AnswerLineOptions {
  readonly answerer: Pick<Answerer, 'preflight' | 'count'>;
  readonly call: 'preflight' | 'count';
  readonly admission: Admission;
  readonly lineLimitBytes: number;
  /** Of one line, waiting for a place included. */
  readonly deadlineMs: number;
  /** Path of the batch. */
  readonly instance: string;
  /** Aborted when the batch is no longer wanted. */
  readonly signal: AbortSignal;
  /** Lines that are left out, by their ids. */
  readonly isDone?: ((id: string) => boolean) | undefined;
}

export type LineResult = {
  /** All that was done for the line has come to its end. A line that failed may still be looked at by a thread, or be on its way. */
  readonly isOver: boolean;
} & ({ readonly record: Uint8Array; readonly status: number } | { readonly record?: undefined });

const MAX_ID_CHARACTERS = 256;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * What a line comes to, as the bytes of a result without its opening brace, so that a reader can put the cursor before
 * it; none if it is left out. What is wrong with a line is its result. Rejects only when the batch is no longer wanted.
 */
export async function answerLine(line: Line, options: AnswerLineOptions): Promise<LineResult> {
  const over = new Over();
  const abort = () => over.end(toPreflightError(options.signal.reason));
  options.signal.addEventListener('abort', abort);
  const context = {
    instance: options.instance,
    requestId: randomUUID(),
    signal: requestSignal(over, options.deadlineMs),
  };
  let id: string | null = null;
  let isOver = true;
  try {
    const takeId = (taken: string) => {
      id = taken;
    };
    const answer = await whenThereIsRoom(
      () => answerOf(line, options, context, takeId),
      context.signal,
    ).catch((error: unknown) => {
      options.signal.throwIfAborted();
      isOver = false;
      return problemOf(toPreflightError(error), context);
    });
    if (answer === undefined) return { isOver };
    return { isOver, record: await recordOf(line, id, answer), status: answer.status };
  } finally {
    options.signal.removeEventListener('abort', abort);
    // What of a failed line still goes on is not wanted.
    over.end(isOver ? ANSWERED : new PreflightError('request_cancelled'));
  }
}

async function answerOf(
  { bytes, sizeBytes }: Line,
  { answerer, call, admission, lineLimitBytes, isDone }: AnswerLineOptions,
  context: AnswerContext,
  takeId: (id: string) => void,
): Promise<Answer | undefined> {
  if (bytes === undefined)
    throw new PreflightError('body_too_large', {
      publicDetail: `The line has ${sizeBytes} bytes; the limit is ${lineLimitBytes}.`,
      params: { limit_bytes: lineLimitBytes, size_bytes: sizeBytes },
    });
  const permit = admission.admit(0);
  try {
    // What needs more than there is gets all there is, and is then alone.
    const reserve = (treeBytes: number) =>
      permit.resize(Math.min(sizeBytes + treeBytes, admission.limitBytes));
    reserve(0);
    const tree = await new Turn().drive(parseBodySteps(bytes, { reserve }));
    let isLeftOut = false;
    const body = withoutId(tree, (id) => {
      takeId(id);
      isLeftOut = isDone?.(id) ?? false;
    });
    return isLeftOut ? undefined : await answerer[call](body, context);
  } finally {
    permit.release();
  }
}

/** The body of the call; what is no object is for the call to refuse. */
function withoutId(tree: Json, takeId: (id: string) => void): Json {
  if (!isObject(tree) || tree.id === undefined) return tree;
  const { id, ...body } = tree as JsonObject;
  if (typeof id !== 'string' || id.length > MAX_ID_CHARACTERS)
    throw new PreflightError('invalid_request', {
      issues: [{ pointer: '/id', detail: `must be a string of at most ${MAX_ID_CHARACTERS} characters` }],
    });
  takeId(id);
  return body;
}

/** A line has been taken, so that it waits, where a request would be sent away. */
async function whenThereIsRoom<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || ERROR_CATALOG[toPreflightError(error).code].retry !== 'after') throw error;
      await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}

async function recordOf(
  { number, offsetBytes }: Line,
  id: string | null,
  { status, body }: Answer,
): Promise<Uint8Array> {
  const result: JsonObject = { line: number, offset_bytes: offsetBytes, id, status, body };
  const chunks = await new Turn().drive(writeJsonSteps(result));
  return Buffer.concat([...chunks, NEWLINE]).subarray(1);
}

const NEWLINE = Buffer.from('\n');
