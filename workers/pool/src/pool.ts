import { availableParallelism } from 'node:os';
import {
  type Countable,
  type Cut,
  type FitOptions,
  fromFault,
  type Ledger,
  PreflightError,
  TextRange,
  type TextRef,
} from '@preflight/core';
import type { EncodingName } from '@preflight/tokenizer';
import { Piscina } from 'piscina';
import { chunksOf, groupsOf } from './chunks.js';
import type { Digest, Outcome, Results, Task } from './messages.js';
import { pack, transferables } from './pack.js';

export interface PoolOptions {
  /** Worker threads; default one for each core. */
  readonly threads?: number;
  /** Tasks that may wait for a thread before work is refused with `overloaded`; default 4096. */
  readonly maxQueuedTasks?: number;
}

export interface WorkOptions {
  /** Ends the work: waiting tasks never start, running ones stop at their next step. The call rejects at once. */
  readonly signal?: AbortSignal | undefined;
  /** Told for every task how long it waited for a thread and how long it ran. */
  readonly onTask?: ((figures: { waitMs: number; runMs: number }) => void) | undefined;
}

export interface PoolFigures {
  readonly threads: number;
  readonly queuedTasks: number;
  /** Share of the threads' time that was work, 0 to 1. */
  readonly utilization: number;
}

/** Counting and cutting over threads, for callers that hold one text at a time. */
export interface AsyncCounter {
  count(text: string | Uint8Array, options?: WorkOptions): Promise<number>;
  /** The exact prefix that the first `maxTokens` tokens spell; same type as given. */
  cut<Text extends string | Uint8Array>(text: Text, maxTokens: number, options?: WorkOptions): Promise<Text>;
}

/** Starts the threads. `close()` must be called for the process to end. */
export function createPool(options: PoolOptions = {}): Pool {
  return new Pool(options);
}

/**
 * Threads that count, hash and cut. All calls reject with PreflightError: `overloaded` when too much waits,
 * `request_cancelled` after an abort, `shutting_down` after `close()`, or the fault of the task itself.
 */
export class Pool {
  readonly threads: number;
  readonly #piscina: Piscina<Task, Outcome<Task['type']>>;
  #isClosed = false;

  constructor({ threads = availableParallelism(), maxQueuedTasks = 4096 }: PoolOptions) {
    this.threads = threads;
    this.#piscina = new Piscina({
      filename: new URL('./thread.js', import.meta.url).href,
      // A pinned size: threads above the minimum would die when idle and load their vocabulary again.
      minThreads: threads,
      maxThreads: threads,
      maxQueue: maxQueuedTasks,
      concurrentTasksPerWorker: 1,
      atomics: 'disabled',
      recordTiming: true,
    });
  }

  /** Tokens of each countable. Large ones are spread over all threads, small ones travel together. */
  async countAll(
    encoding: EncodingName,
    countables: readonly Countable[],
    options: WorkOptions = {},
  ): Promise<Int32Array> {
    const tokens = new Int32Array(countables.length);
    const work = new Work(options);
    await this.#runEach(groupsOf(chunksOf(countables, encoding)), work, async (group) => {
      const texts = pack(group.map((chunk) => chunk.countable));
      const counts = await this.#run({ type: 'count', encoding, texts, cancelled: work.cancelled }, work);
      group.forEach(({ owner }, i) => {
        tokens[owner] = (tokens[owner] as number) + (counts[i] as number);
      });
    });
    return tokens;
  }

  /**
   * SHA-256 of each countable as it is counted. Rejects with `invalid_base64` too, its `params.item` being the
   * position of the countable.
   */
  async digestAll(countables: readonly Countable[], options: WorkOptions = {}): Promise<Digest[]> {
    const digests = new Array<Digest>(countables.length);
    const work = new Work(options);
    const items = countables.map((countable, owner) => ({ owner, countable }));
    await this.#runEach(groupsOf(items), work, async (group) => {
      const texts = pack(group.map((item) => item.countable));
      const found = await this.#run({ type: 'digest', texts, cancelled: work.cancelled }, work).catch((error) => {
        throw ofItem(error, (item) => group[item]?.owner);
      });
      group.forEach(({ owner }, i) => {
        digests[owner] = found[i] as Digest;
      });
    });
    return digests;
  }

  /**
   * Drives the fit stages in one thread: step, cut, recount, step. `textsOf(i)` gives the texts of message i.
   * Answers the cuts made, in order; replaying them gives the decision.
   */
  async cutToFit(
    encoding: EncodingName,
    ledger: Ledger,
    fitOptions: FitOptions,
    textsOf: (index: number) => readonly TextRef[],
    options: WorkOptions = {},
  ): Promise<readonly Cut[]> {
    const messageCount = ledger.contentTokens.length;
    const textStarts = new Int32Array(messageCount + 1);
    const countables: Countable[] = [];
    for (let i = 0; i < messageCount; i++) {
      textStarts[i] = countables.length;
      for (const text of textsOf(i)) countables.push([text]);
    }
    textStarts[messageCount] = countables.length;
    const work = new Work(options);
    const texts = pack(countables);
    const { cancelled } = work;
    return this.#run({ type: 'cut_to_fit', encoding, ledger, options: fitOptions, texts, textStarts, cancelled }, work);
  }

  /** One text at a time, as `loadCounter` of the tokenizer gives it, but off this thread. */
  counter(encoding: EncodingName): AsyncCounter {
    return {
      count: async (text, options) => {
        const tokens = await this.countAll(encoding, [[toRef(text)]], options);
        return tokens[0] as number;
      },
      cut: async (text, maxTokens, options = {}) => {
        const work = new Work(options);
        const bytes = toBytes(text);
        const texts = pack([[toRange(bytes)]]);
        const keepBytes = await this.#run({ type: 'cut', encoding, texts, maxTokens, cancelled: work.cancelled }, work);
        if (keepBytes === bytes.length) return text;
        const kept = bytes.subarray(0, keepBytes);
        return (typeof text === 'string' ? decoder.decode(kept) : kept) as typeof text;
      },
    };
  }

  figures(): PoolFigures {
    const { queueSize, utilization } = this.#piscina;
    return { threads: this.threads, queuedTasks: queueSize, utilization };
  }

  /** Waits for running and queued tasks, then ends the threads. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#piscina.close();
  }

  /**
   * Runs one task for each group, a few at a time: enough to keep all threads busy, few enough that other callers are
   * never more than that many tasks behind. Groups are made as they are needed, so no turn packs more than one.
   */
  async #runEach<Group>(groups: Generator<Group>, work: Work, perform: (group: Group) => Promise<void>): Promise<void> {
    const lane = async () => {
      for (const group of groups) await perform(group);
    };
    try {
      await Promise.all(Array.from({ length: this.threads + 1 }, lane));
    } catch (error) {
      work.cancel();
      throw error;
    }
  }

  async #run<Type extends Task['type']>(task: Task & { type: Type }, work: Work): Promise<Results[Type]> {
    if (this.#isClosed) throw new PreflightError('shutting_down', { publicDetail: 'The worker threads are stopping.' });
    work.throwIfCancelled();
    const startMs = performance.now();
    const transferList = transferables(task.texts);
    const outcome = (await work.race(
      this.#piscina.run(task, { transferList }).catch((error: unknown) => {
        throw toPreflightError(error);
      }),
    )) as Outcome<Type>;
    const { runMs } = outcome;
    work.onTask?.({ waitMs: Math.max(0, performance.now() - startMs - runMs), runMs });
    if ('fault' in outcome) throw fromFault(outcome.fault);
    return outcome.ok;
  }
}

/** One call's share of the pool: its cancel flag, set when the caller gives up. */
class Work {
  readonly cancelled = new SharedArrayBuffer(4);
  readonly onTask: WorkOptions['onTask'];
  readonly #signal: AbortSignal | undefined;

  constructor({ signal, onTask }: WorkOptions) {
    this.onTask = onTask;
    this.#signal = signal;
  }

  cancel(): void {
    Atomics.store(new Int32Array(this.cancelled), 0, 1);
  }

  throwIfCancelled(): void {
    if (this.#signal?.aborted) throw cancelledBy(this.#signal);
  }

  /** The task's outcome, unless the signal comes first; then the thread is told and nobody waits for it. */
  race<Result>(running: Promise<Result>): Promise<Result> {
    const signal = this.#signal;
    if (signal === undefined) return running;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.cancel();
        reject(cancelledBy(signal));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      running.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }
}

/** An error about one text of a task, told of the caller's list instead. */
function ofItem(error: unknown, ownerOf: (item: number) => number | undefined): unknown {
  if (!(error instanceof PreflightError) || typeof error.params.item !== 'number') return error;
  const item = ownerOf(error.params.item) ?? error.params.item;
  return new PreflightError(error.code, { ...error, params: { item } });
}

/** A caller that aborts with an error of ours (a deadline, say) gets that one back. */
function cancelledBy(signal: AbortSignal): PreflightError {
  return signal.reason instanceof PreflightError
    ? signal.reason
    : new PreflightError('request_cancelled', { publicDetail: 'The request was cancelled.' });
}

/** Piscina tells its faults apart by text only; this is the one place that reads it. */
function toPreflightError(error: unknown): PreflightError {
  const message = error instanceof Error ? error.message : String(error);
  if (/queue is at limit/i.test(message))
    return new PreflightError('overloaded', { publicDetail: 'Too many tasks wait for a thread.' });
  return new PreflightError('internal_error', { internalDetail: `worker thread: ${message}`, cause: error });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function toBytes(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? encoder.encode(text) : text;
}

function toRef(text: string | Uint8Array): TextRef {
  return typeof text === 'string' && text.length < 4096 ? text : toRange(toBytes(text));
}

/** One copy into shared memory, so that every thread can read it. */
function toRange(bytes: Uint8Array): TextRange {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, 0, bytes.length);
}
