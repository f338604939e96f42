import { Worker } from 'node:worker_threads';
import { PreflightError, TextRange, type TextRef } from '@preflight/core';
import type { FileForm, PdfText } from '@preflight/media';
import { cancelledBy, type WorkOptions } from './work.js';

export interface DocumentTask {
  readonly source: ArrayBufferLike;
  readonly start: number;
  readonly end: number;
  readonly form: FileForm;
}

/** The text in a shared buffer, as UTF-8. */
export type DocumentOutcome =
  | { readonly pages: number; readonly text: SharedArrayBuffer }
  | Extract<PdfText, { unreadable: unknown }>;

/** For one file. */
export interface DocumentLimits {
  readonly deadlineMs?: number;
  /** Of the thread's heap; the file itself, and what is inflated, stand beside it. */
  readonly heapMb?: number;
}

/** A sound file of a thousand pages takes 3 s. */
const DEADLINE_MS = 10_000;
const HEAP_MB = 256;
/** Files that wait; what a request may hold of them is bounded by its bytes. */
const MAX_WAITING = 256;

/**
 * Reads the text of PDF files, in a thread of its own: a hostile file may take any time and memory, and nothing but to end its
 * thread helps then. A file that takes too long, or more heap than there is for it, is `took_too_long` or `too_large`; whoever waits behind
 * it gets a new thread. The thread is started with the first file.
 */
export class DocumentReader {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  readonly #deadlineMs: number;
  readonly #heapMb: number;

  constructor({ deadlineMs = DEADLINE_MS, heapMb = HEAP_MB }: DocumentLimits = {}) {
    this.#deadlineMs = deadlineMs;
    this.#heapMb = heapMb;
  }

  /** Rejects with `overloaded` when too many files wait, and with what the signal was aborted with. */
  async read(data: TextRef, form: FileForm, { signal }: WorkOptions): Promise<DocumentOutcome> {
    if (this.#waiting >= MAX_WAITING)
      throw new PreflightError('overloaded', { publicDetail: 'Too many documents wait to be read.' });
    this.#waiting += 1;
    const outcome = this.#last.then(() => this.#readNow(data, form, signal));
    this.#last = outcome.catch(() => undefined);
    return outcome.finally(() => {
      this.#waiting -= 1;
    });
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#end();
  }

  #readNow(data: TextRef, form: FileForm, signal: AbortSignal | undefined): Promise<DocumentOutcome> {
    if (signal?.aborted) throw cancelledBy(signal);
    const worker = this.#thread();
    return new Promise<DocumentOutcome>((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(deadline);
        signal?.removeEventListener('abort', abort);
        worker.off('message', onMessage).off('error', onError);
        worker.unref();
        settle();
      };
      /** What goes on in the thread is not wanted any more. */
      const endWith = (settle: () => void) => finish(() => this.#end().then(settle, reject));
      const abort = () => endWith(() => reject(cancelledBy(signal as AbortSignal)));
      const deadline = setTimeout(
        () => endWith(() => resolve({ unreadable: 'took_too_long' })),
        this.#deadlineMs,
      );
      const onMessage = (outcome: DocumentOutcome) => finish(() => resolve(outcome));
      const onError = ({ code }: Error & { code?: string }) => {
        const unreadable = code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_large' : 'damaged';
        endWith(() => resolve({ unreadable }));
      };
      signal?.addEventListener('abort', abort, { once: true });
      worker.on('message', onMessage).on('error', onError);
      worker.ref();
      worker.postMessage(taskOf(data, form));
    });
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./document-thread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMb },
      // Whatever a library says about a file has content in it.
      stdout: true,
      stderr: true,
    });
    // A thread that ends with nothing to do has lost nothing.
    worker
      .on('error', () => undefined)
      .once('exit', () => {
        if (this.#worker === worker) this.#worker = undefined;
      });
    this.#worker = worker;
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function taskOf(data: TextRef, form: FileForm): DocumentTask {
  if (data instanceof TextRange) return { source: data.buffer, start: data.start, end: data.end, form };
  const bytes = new TextEncoder().encode(data);
  return { source: bytes.buffer, start: 0, end: bytes.length, form };
}
