import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { fromFault, PreflightError } from '@preflight/core';
import { forgetThread } from '@preflight/tokenizer';
import { Piscina } from 'piscina';
import type { Outcome, Results, Task } from './messages.js';
import { longestPieceBytes, packedBytes, transferables } from './pack.js';
import { cancelledBy, noLongerWanted, unlessAborted, Work, type WorkOptions } from './work.js';

/** Threads look at their cancel flag between steps; tiktoken makes none in an unbroken run, which may be as long. */
const DEAF_BYTES = 1024 * 1024;

/** The threads themselves: runs tasks, whatever they are, and says what became of each. */
export class Threads {
  readonly threads: number;
  readonly #piscina: Piscina<Task, Outcome<Task['type']>>;
  readonly #calls = new Set<Promise<unknown>>();
  /** Tasks that threads have. They may outlive their call: it ends with the first of its tasks that fails. */
  readonly #running = new Set<Promise<unknown>>();
  readonly #watched = new WeakSet<object>();
  /** The first threads, and when each has loaded its code or is gone. */
  readonly #loading = new Map<Worker, Promise<void>>();
  #tasks = 0;
  #countedBytes = 0;
  #closing: Promise<void> | undefined;

  constructor(threads: number, maxQueuedTasks: number) {
    this.threads = threads;
    this.#piscina = new Piscina({
      filename: new URL('./thread.js', import.meta.url).href,
      // A pinned size: threads above the minimum would die when idle and load their vocabulary again.
      minThreads: threads,
      maxThreads: threads,
      maxQueue: maxQueuedTasks,
      concurrentTasksPerWorker: 1,
      atomics: 'disabled',
      recordTiming: false,
      // What a thread makes in JavaScript is small and soon forgotten: with more room V8 would only let it lie, 1.5 MB a thread.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    });
    this.#piscina.on('workerCreate', () => this.#watchThreads());
    // Those that replace them later are told of when they are ready.
    for (const thread of this.#piscina.threads) this.#loading.set(thread, loaded(thread));
    // A thread that died with nothing to do: it has been replaced, and nobody has lost anything.
    this.#piscina.on('error', () => undefined);
  }

  /** Tasks that run and that wait, and how many bytes were given to threads to count. */
  figures(): { readonly runningTasks: number; readonly waitingTasks: number; readonly countedBytes: number } {
    const waitingTasks = this.#piscina.queueSize;
    return { runningTasks: this.#tasks - waitingTasks, waitingTasks, countedBytes: this.#countedBytes };
  }

  /** Refuses new calls, waits for those under way and for `andThen`, then ends the threads. Harmless when repeated. */
  close(andThen: () => Promise<unknown>): Promise<void> {
    // Not piscina's own close(), which ends running tasks when it has several threads (5.3.2).
    this.#closing ??= Promise.allSettled(this.#calls)
      .then(() => Promise.allSettled(this.#running))
      .then(() => this.#loaded())
      .then(andThen)
      .then(() => this.#piscina.destroy());
    return this.#closing;
  }

  /** Whether work is taken at all: not once the threads are closing, nor for a caller who has gone. */
  assertTaken({ signal }: WorkOptions): void {
    if (this.#closing)
      throw new PreflightError('shutting_down', { publicDetail: 'The worker threads are stopping.' });
    if (signal?.aborted) throw cancelledBy(signal);
  }

  /** Work that may take several tasks, and is cancelled with its caller. */
  async call<Result>(options: WorkOptions, perform: (work: Work) => Promise<Result>): Promise<Result> {
    this.assertTaken(options);
    const { signal, onTask } = options;
    const work = new Work(onTask);
    const running = perform(work);
    this.#calls.add(running);
    const forget = () => this.#calls.delete(running);
    running.then(forget, forget);
    return unlessAborted(running, signal, () => work.cancel());
  }

  /**
   * Runs one task for each group, a few at a time: enough to keep all threads busy, few enough that other callers are
   * never more than that many tasks behind. Groups are made as they are needed, so no turn packs more than one.
   */
  async runEach<Group>(
    groups: Generator<Group>,
    work: Work,
    perform: (group: Group) => Promise<void>,
  ): Promise<void> {
    const lane = async (lanesToStart: number): Promise<void> => {
      const first = groups.next();
      if (first.done) return;
      const performAll = async () => {
        await perform(first.value);
        for (const group of groups) await perform(group);
      };
      const startNext = async () => {
        if (lanesToStart === 0) return;
        await nextTurn();
        await lane(lanesToStart - 1);
      };
      await Promise.all([performAll(), startNext()]);
    };
    try {
      await lane(this.threads);
    } catch (error) {
      work.cancel();
      throw error;
    }
  }

  /** One task, in the first thread that is free. The thread tells faults as data; they are thrown here. */
  async run<Type extends Task['type']>(task: Task & { type: Type }, work: Work): Promise<Results[Type]> {
    if (work.isCancelled) throw noLongerWanted();
    const startMs = performance.now();
    this.#tasks += 1;
    if (task.type === 'count') this.#countedBytes += packedBytes(task.texts);
    const isDeaf =
      'counter' in task && task.counter?.engine === 'tiktoken' && longestPieceBytes(task.texts) > DEAF_BYTES;
    const running = this.#piscina.run(task, {
      transferList: transferables(task.texts),
      ...(isDeaf ? { signal: work.signal } : {}),
    });
    this.#running.add(running);
    const outcome = (await running
      .catch((error: unknown) => {
        throw toPreflightError(error);
      })
      .finally(() => {
        this.#tasks -= 1;
        this.#running.delete(running);
      })) as Outcome<Type>;
    const { runMs } = outcome;
    work.report({ waitMs: Math.max(0, performance.now() - startMs - runMs), runMs });
    if ('fault' in outcome) throw fromFault(outcome.fault);
    return outcome.ok;
  }

  /**
   * To end a thread that links its modules may abort the process (Node 20.20). It does so at its start, and in the first
   * task that wants more; such a task is waited for with the others.
   */
  async #loaded(): Promise<void> {
    // Else the process may end before they have.
    for (const thread of this.#loading.keys()) thread.ref();
    await Promise.all(this.#loading.values());
  }

  /** What a thread had of the kernel's memory is free when it has ended, not before. */
  #watchThreads(): void {
    for (const thread of this.#piscina.threads) {
      if (this.#watched.has(thread)) continue;
      this.#watched.add(thread);
      const { threadId } = thread;
      thread.once('exit', () => forgetThread(threadId));
    }
  }
}

/** Piscina tells its faults apart by text only; this is the one place that reads it. */
function toPreflightError(error: unknown): PreflightError {
  const message = error instanceof Error ? error.message : String(error);
  if (/queue is at limit|all workers are busy/i.test(message))
    return new PreflightError('overloaded', { publicDetail: 'Too many tasks wait for a thread.' });
  return new PreflightError('internal_error', { internalDetail: `worker thread: ${message}`, cause: error });
}

/** The first message of a thread of piscina's says that it is ready. */
function loaded(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['message', 'error', 'exit']) thread.once(event, () => resolve());
  });
}
