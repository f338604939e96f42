import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchResult } from '@preflight/contracts';
import { ClientError, errorOfAnswer, errorOfSilence } from './client-error.js';

/** A line of a batch: the body of the call of its own, and a name by which its result is known. */
export interface BatchLine {
  readonly id: string;
}

export type BatchLines = Iterable<BatchLine> | AsyncIterable<BatchLine>;

export interface BatchOptions {
  /** Name of the batch on the service, letters, digits, `_` and `-`; drawn if absent. */
  readonly batchId?: string;
  /** What is asked of each line. Default `preflight`. */
  readonly call?: 'preflight' | 'count';
  /** Ids whose results are there from an earlier run: their lines are not sent. Each result that is given is added. */
  readonly done?: Set<string>;
  readonly signal?: AbortSignal;
}

export interface BatchService {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly fetch: typeof fetch;
  /** Rounds and connections in a row that bring nothing, before the batch is given up. */
  readonly retries: number;
  readonly firstPauseMs: number;
}

const UNKNOWN_YET_MS = 50;

/**
 * The results of many lines, in the order in which they are done. Lines are read as fast as results are taken. When the
 * connection breaks, or the service is stopped, results are read on from the last one, and lines without a result are
 * sent again: so `open` must give the same lines each time. Rejects when nothing gets through any more, and for what
 * does not pass; a line that is refused has a result that says so.
 */
export async function* runBatch(
  service: BatchService,
  open: () => BatchLines,
  { batchId = randomUUID(), call = 'preflight', done = new Set(), signal }: BatchOptions,
): AsyncGenerator<BatchResult> {
  const { retries, firstPauseMs } = service;
  const reading: Reading = { batchId, cursor: undefined };
  let fruitless = 0;
  for (;;) {
    const leaving = new AbortController();
    const round = { signal: signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal };
    const waiting = new Set<string>();
    const path = `/v1/batches?id=${batchId}&call=${call}`;
    const upload = settled(
      sendLines(service, path, linesBut(open(), { done, waiting, signal: round.signal }), round.signal),
    );
    try {
      for await (const result of readResults(service, reading, upload, round.signal)) {
        fruitless = 0;
        reading.cursor = result.cursor;
        if (result.id !== null) {
          waiting.delete(result.id);
          if (done.has(result.id)) continue;
          done.add(result.id);
        }
        yield result;
      }
      const { error } = await upload.ended;
      if (error === undefined && waiting.size === 0) return;
      throw error ?? new ClientError('unreachable', `${waiting.size} lines have no result`);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ClientError) || !error.isPassing || fruitless === retries) throw error;
      const pauseMs = firstPauseMs * 2 ** fruitless++ * (0.75 + Math.random() / 2);
      await sleep(Math.max(pauseMs, error.retryAfterMs ?? 0));
    } finally {
      leaving.abort();
      await upload.ended;
    }
  }
}

interface Reading {
  readonly batchId: string;
  cursor: string | undefined;
}

interface Upload {
  readonly ended: Promise<{ readonly error?: unknown }>;
  hasEnded: boolean;
}

function settled(sending: Promise<void>): Upload {
  const upload: Upload = {
    hasEnded: false,
    ended: sending
      .then(
        () => ({}),
        (error: unknown) => ({ error }),
      )
      .finally(() => {
        upload.hasEnded = true;
      }),
  };
  return upload;
}

/** Notes in `waiting` what was sent. Ends with the signal: fetch goes on asking when it has been aborted. */
async function* linesBut(
  lines: BatchLines,
  { done, waiting, signal }: { done: ReadonlySet<string>; waiting: Set<string>; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  for await (const line of lines) {
    if (signal.aborted) return;
    if (done.has(line.id)) continue;
    waiting.add(line.id);
    yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
}

/**
 * Otherwise fetch copies a streamed body for the case that it is redirected, and so keeps all of it in memory (the
 * Fetch standard, HTTP-network-or-cache fetch, step 8: a request without a window, whose redirects are errors, is not cloned).
 */
const UNCOPIED = { window: null, redirect: 'error' };

async function sendLines(
  service: BatchService,
  path: string,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const headers = { ...service.headers, 'content-type': 'application/x-ndjson' };
  const init = {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
    signal,
    ...UNCOPIED,
  } as unknown as RequestInit;
  const answer = await service.fetch(new URL(path, service.baseUrl), init).catch((cause: unknown) => {
    throw errorOfSilence(service.baseUrl, cause);
  });
  if (!answer.ok) throw await errorOfAnswer(answer);
  await answer.arrayBuffer();
}

/** Results until the batch has ended. Before its upload has begun the service does not know it. */
async function* readResults(
  { baseUrl, headers, fetch }: BatchService,
  { batchId, cursor }: Reading,
  upload: Upload,
  signal: AbortSignal,
): AsyncGenerator<BatchResult> {
  const query = cursor === undefined ? '' : `?after=${cursor}`;
  const url = new URL(`/v1/batches/${batchId}/results${query}`, baseUrl);
  for (;;) {
    const wasOver = upload.hasEnded;
    const answer = await fetch(url, { headers: { ...headers }, signal }).catch((cause: unknown) => {
      throw errorOfSilence(baseUrl, cause);
    });
    if (answer.ok) return yield* resultsIn(answer.body as AsyncIterable<Uint8Array>);
    const error = await errorOfAnswer(answer);
    if (error.status !== 404) throw error;
    if (wasOver) throw (await upload.ended).error ?? error;
    await sleep(UNKNOWN_YET_MS);
  }
}

async function* resultsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BatchResult> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  try {
    for await (const chunk of chunks) {
      const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
      parts.push(first);
      for (const next of more) {
        yield JSON.parse(parts.join(''));
        parts = [next];
      }
    }
  } catch (cause) {
    throw new ClientError('unreachable', 'the results broke off', { cause });
  }
}
