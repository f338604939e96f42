import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import {
  type Countable,
  type Cut,
  cutsOfNumbers,
  type FitOptions,
  fromFault,
  type KeptText,
  type Ledger,
  type MeasuredText,
  type Piece,
  PreflightError,
  type ShortenStep,
  TEXT_MEASURES,
  type TextEstimate,
  TextRange,
  type TextRef,
  type UnreadableReason,
} from '@preflight/core';
import type { InspectOptions } from '@preflight/media';
import {
  type EncodingName,
  type EngineName,
  forgetThread,
  loadCounter,
  sharedKernel,
} from '@preflight/tokenizer';
import { Piscina } from 'piscina';
import { type AsyncCounter, asyncCounter } from './async-counter.js';
import type { Checkpoints } from './checkpoints.js';
import { areSmall, chunksOf, groupsOf } from './chunks.js';
import { DocumentReader } from './document-reader.js';
import type { CounterSource, Digest, FileFacts, Outcome, Results, SegmentDigest, Task } from './messages.js';
import { longestPieceBytes, Packer, pack, packedBytes, transferables } from './pack.js';
import { countTexts, digestTexts } from './read-texts.js';
import { digestGroups, digestOfLeaves } from './tree-digest.js';
import { Unpacked } from './unpack.js';
import { cancelledBy, noLongerWanted, unlessAborted, Work, type WorkOptions } from './work.js';

export interface PoolOptions {
  /** Worker threads; default one for each core. */
  readonly threads?: number;
  /** What counts: the kernel (default), or tiktoken itself for audits, which takes ten times as long and more. */
  readonly engine?: EngineName;
  /** Tasks that may wait for a thread before work is refused with `overloaded`; default 4096. */
  readonly maxQueuedTasks?: number;
}

export interface PoolFigures {
  readonly threads: number;
  readonly runningTasks: number;
  readonly waitingTasks: number;
  readonly countedBytes: number;
}

/** A file that is to be inspected. */
export interface InspectedFile extends InspectOptions {
  /** A data URI or base64 (`encoded`), or the file itself (`bytes`). */
  readonly data: TextRef;
}

/** Pages and text of a PDF, or why nobody can read it; its pages may be known all the same. */
export type PdfReading =
  | { readonly pages: number; readonly text: TextRange }
  | { readonly pages?: number; readonly unreadable: UnreadableReason };

export interface CountOptions extends WorkOptions {
  /** Told of each countable as soon as its tokens are known, in any order. */
  readonly onCounted?: ((position: number, tokens: number) => void) | undefined;
}

export interface CutOptions extends WorkOptions {
  /** How the model's tokens follow from counts, in which the ledger and the options are then meant. */
  readonly estimate?: TextEstimate | undefined;
}

/** Threads look at their cancel flag between steps; tiktoken makes none in an unbroken run, which may be as long. */
const DEAF_BYTES = 1024 * 1024;

/** Texts that are packed in one turn of the event loop, about 2 ms. */
const PACK_TEXTS = 4096;

/** Starts the threads. `close()` must be called for them to end. */
export function createPool(options: PoolOptions = {}): Pool {
  return new Pool(options);
}

/**
 * Threads that count, hash and cut. All calls reject with PreflightError: `overloaded` when too much waits,
 * `request_cancelled` (or the error of ours that the signal was aborted with) after an abort, `shutting_down` once
 * the pool is closing, `internal_error` when the thread died, or the fault of the task itself. A thread that dies
 * fails the one task that it ran, and another takes its place.
 */
export class Pool {
  readonly threads: number;
  readonly engine: EngineName;
  readonly #piscina: Piscina<Task, Outcome<Task['type']>>;
  readonly #documents = new DocumentReader();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #watched = new WeakSet<object>();
  /** The first threads, and when each has loaded its code or is gone. */
  readonly #loading = new Map<Worker, Promise<void>>();
  #tasks = 0;
  #countedBytes = 0;
  #closing: Promise<void> | undefined;

  constructor({ threads = availableParallelism(), engine = 'kernel', maxQueuedTasks = 4096 }: PoolOptions) {
    this.threads = threads;
    this.engine = engine;
    this.#piscina = new Piscina({
      filename: new URL('./thread.js', import.meta.url).href,
      // A pinned size: threads above the minimum would die when idle and load their vocabulary again.
      minThreads: threads,
      maxThreads: threads,
      maxQueue: maxQueuedTasks,
      concurrentTasksPerWorker: 1,
      atomics: 'disabled',
      recordTiming: false,
    });
    this.#piscina.on('workerCreate', () => this.#watchThreads());
    // Those that replace them later are told of when they are ready.
    for (const thread of this.#piscina.threads) this.#loading.set(thread, loaded(thread));
    // A thread that died with nothing to do: it has been replaced, and nobody has lost anything.
    this.#piscina.on('error', () => undefined);
  }

  /** What the threads do just now, and how many bytes they were given to count since the pool was made. */
  figures(): PoolFigures {
    const waitingTasks = this.#piscina.queueSize;
    return {
      threads: this.threads,
      runningTasks: this.#tasks - waitingTasks,
      waitingTasks,
      countedBytes: this.#countedBytes,
    };
  }

  /**
   * Tokens of each countable. Large ones are spread over all threads, small ones travel together; a few kilobytes are
   * counted here at once.
   */
  async countAll(
    encoding: EncodingName,
    countables: readonly Countable[],
    options: CountOptions = {},
  ): Promise<Int32Array> {
    if (this.engine === 'kernel' && areSmall(countables))
      return this.#countHere(encoding, countables, options);
    const tokens = new Int32Array(countables.length);
    const chunksDone = new Int32Array(countables.length);
    const add = (owner: number, count: number, ofChunks: number) => {
      tokens[owner] = (tokens[owner] as number) + count;
      chunksDone[owner] = (chunksDone[owner] as number) + 1;
      if (chunksDone[owner] === ofChunks) options.onCounted?.(owner, tokens[owner] as number);
    };
    return this.#call(options, async (work) => {
      const counter = this.#source(encoding);
      await this.#runEach(groupsOf(chunksOf(countables, encoding)), work, async (group) => {
        const texts = pack(group.map((chunk) => chunk.countable));
        const counts = await this.#run({ type: 'count', counter, texts, cancelled: work.flag }, work);
        for (const [i, { owner, ofChunks }] of group.entries()) add(owner, counts[i] as number, ofChunks);
      });
      return tokens;
    });
  }

  /**
   * Digest (`digestBytes`) of each countable as it is counted, a large one made by all threads. Rejects with `invalid_base64` too, its `params.item` being the
   * position of the countable.
   */
  async digestAll(countables: readonly Countable[], options: WorkOptions = {}): Promise<Digest[]> {
    if (areSmall(countables)) {
      this.#assertTaken(options);
      return digestTexts(new Unpacked(pack(countables)));
    }
    const digests = new Array<Digest>(countables.length);
    const trees = new Map<number, string[]>();
    return this.#call(options, async (work) => {
      await this.#runEach(digestGroups(countables, this.threads), work, async (group) => {
        const texts = pack(group.map((item) => item.countable));
        const task = { type: 'digest', texts, cancelled: work.flag } as const;
        const found = await this.#run(task, work).catch((error) => {
          throw ofItem(error, (item) => group[item]?.owner);
        });
        for (const [i, { owner, leaf }] of group.entries()) {
          const digest = found[i] as Digest;
          if (leaf === undefined) digests[owner] = digest;
          else leavesOf(trees, owner)[leaf] = digest.hex;
        }
      });
      for (const [owner, leaves] of trees) digests[owner] = { hex: digestOfLeaves(leaves), isPlain: true };
      return digests;
    });
  }

  /** Ids of the tokens of a text, four bytes each: for texts of bounded length. Much slower than to count them. */
  encode(encoding: EncodingName, text: TextRef, options: WorkOptions = {}): Promise<Int32Array> {
    return this.#call(options, (work) =>
      this.#run({ type: 'encode', encoding, texts: pack([[text]]), cancelled: work.flag }, work),
    );
  }

  /** Canonical base64 of the bytes of a file. */
  base64(file: TextRange, options: WorkOptions = {}): Promise<TextRange> {
    return this.#call(options, async (work) => {
      const texts = pack([[file]]);
      const letters = await this.#run({ type: 'base64', texts, cancelled: work.flag }, work);
      return new TextRange(letters, 0, letters.byteLength);
    });
  }

  /**
   * The segments of each text, with their digests: what a text that has grown or changed shares with what it was.
   * Undefined for texts that are not written as they are.
   */
  segmentAll(
    encoding: EncodingName,
    texts: readonly Piece[],
    options: WorkOptions = {},
  ): Promise<(readonly SegmentDigest[] | undefined)[]> {
    const segments = new Array<readonly SegmentDigest[] | undefined>(texts.length);
    const items = texts.map((text, owner) => ({ owner, countable: [text] }));
    return this.#call(options, async (work) => {
      await this.#runEach(groupsOf(items), work, async (group) => {
        const packed = pack(group.map((item) => item.countable));
        const task = { type: 'segment', encoding, texts: packed, cancelled: work.flag } as const;
        const found = await this.#run(task, work);
        for (const [i, { owner }] of group.entries()) segments[owner] = found[i];
      });
      return segments;
    });
  }

  /**
   * Drives the fit stages in one thread: step, cut, recount, step. `textsOf(i)` gives the texts of message i, and
   * `checkpointsOf` what is known of long ones. Answers the cuts made, in order; replaying them gives the decision.
   */
  cutToFit(
    encoding: EncodingName,
    ledger: Ledger,
    options: FitOptions,
    textsOf: (index: number) => readonly TextRef[],
    checkpointsOf: (text: TextRef) => Checkpoints | undefined,
    { estimate, ...workOptions }: CutOptions = {},
  ): Promise<readonly Cut[]> {
    return this.#call(workOptions, async (work) => {
      const messageCount = ledger.contentTokens.length;
      const textStarts = new Int32Array(messageCount + 1);
      const packer = new Packer();
      const checkpoints = new Map<number, Checkpoints>();
      for (let i = 0; i < messageCount; i++) {
        if (i % PACK_TEXTS === PACK_TEXTS - 1) await nextTurn();
        for (const text of textsOf(i)) {
          const known = checkpointsOf(text);
          if (known !== undefined) checkpoints.set(packer.length, known);
          packer.add([text]);
        }
        textStarts[i + 1] = packer.length;
      }
      const texts = packer.finish();
      const cancelled = work.flag;
      const counter = this.#source(encoding);
      const parts = { counter, estimate, ledger, options, texts, textStarts, checkpoints, cancelled };
      return cutsOfNumbers(await this.#run({ type: 'cut_to_fit', ...parts }, work));
    });
  }

  /** Characters of each text, as Python counts or prints them (`measureText`). */
  measureAll(texts: readonly MeasuredText[], options: WorkOptions = {}): Promise<Int32Array> {
    const lengths = new Int32Array(texts.length);
    const items = texts.map(({ text, as }, owner) => ({ owner, countable: [text], as }));
    return this.#call(options, async (work) => {
      await this.#runEach(groupsOf(items), work, async (group) => {
        const packed = pack(group.map((item) => item.countable));
        const measures = Uint8Array.from(group, ({ as }) => TEXT_MEASURES.indexOf(as));
        const task = { type: 'measure', texts: packed, measures, cancelled: work.flag } as const;
        const found = await this.#run(task, work);
        for (const [i, { owner }] of group.entries()) lengths[owner] = found[i] as number;
      });
      return lengths;
    });
  }

  /**
   * What each file is, as its own bytes tell (`inspect` of `@preflight/media`). Bytes that nobody can read are facts as
   * well (`unreadable`), and no error. A photo takes a thread some 40 µs. Of a PDF, `readPdf` reads the text.
   */
  inspectAll(files: readonly InspectedFile[], options: WorkOptions = {}): Promise<FileFacts[]> {
    const facts = new Array<FileFacts>(files.length);
    const items = files.map(({ data, ...as }, owner) => ({ owner, countable: [data], as }));
    return this.#call(options, async (work) => {
      await this.#runEach(groupsOf(items), work, async (group) => {
        const texts = pack(group.map(({ countable }) => countable));
        const as = group.map((item) => item.as);
        const found = await this.#run({ type: 'inspect', texts, as, cancelled: work.flag }, work);
        for (const [i, { owner }] of group.entries()) facts[owner] = found[i] as FileFacts;
      });
      return facts;
    });
  }

  /**
   * What all pages of a PDF say, in a thread of its own with a limit on its heap and 10 s, behind which the thread is ended
   * (`unreadable`). Also of a file that is encrypted without a password to open it. One file at a time; a page takes some 3 ms.
   */
  readPdf({ data, form }: InspectedFile, options: WorkOptions = {}): Promise<PdfReading> {
    return this.#call(options, async () => {
      const found = await this.#documents.read(data, form, options);
      if ('unreadable' in found) return found;
      return { pages: found.pages, text: new TextRange(found.text, 0, found.text.byteLength) };
    });
  }

  /** Keeps pieces of a text (`keepPieces`), measured in tokens of the encoding, or else in characters. */
  keepPieces(
    encoding: EncodingName | undefined,
    text: TextRef,
    step: ShortenStep,
    options: WorkOptions = {},
  ): Promise<KeptText | null> {
    return this.#call(options, (work) => {
      const counter = encoding === undefined ? undefined : this.#source(encoding);
      const task = {
        type: 'keep_pieces',
        counter,
        texts: pack([[text]]),
        step,
        cancelled: work.flag,
      } as const;
      return this.#run(task, work);
    });
  }

  /** One text at a time, as `loadCounter` of the tokenizer gives it, but off this thread. */
  counter(encoding: EncodingName): AsyncCounter {
    return asyncCounter({
      count: async (text, options) => (await this.countAll(encoding, [[text]], options))[0] as number,
      cutBytes: (text, maxTokens, options) =>
        this.#call(options, (work) =>
          this.#run(
            {
              type: 'cut',
              counter: this.#source(encoding),
              texts: pack([[text]]),
              maxTokens,
              cancelled: work.flag,
            },
            work,
          ),
        ),
    });
  }

  /** Refuses new calls, waits for those under way, then ends the threads. Harmless when repeated. */
  close(): Promise<void> {
    // Not piscina's own close(), which ends running tasks when it has several threads (5.3.2).
    this.#closing ??= Promise.allSettled(this.#calls)
      .then(() => this.#loaded())
      .then(() => this.#documents.close())
      .then(() => this.#piscina.destroy());
    return this.#closing;
  }

  /** To end a thread that links its modules may abort the process (Node 20.20). */
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

  async #countHere(
    encoding: EncodingName,
    countables: readonly Countable[],
    options: CountOptions,
  ): Promise<Int32Array> {
    this.#assertTaken(options);
    const counter = await loadCounter(encoding);
    const texts = pack(countables);
    const tokens = countTexts(counter, new Unpacked(texts));
    this.#countedBytes += packedBytes(texts);
    if (options.onCounted) for (const [i, count] of tokens.entries()) options.onCounted(i, count);
    return tokens;
  }

  #assertTaken({ signal }: WorkOptions): void {
    if (this.#closing)
      throw new PreflightError('shutting_down', { publicDetail: 'The worker threads are stopping.' });
    if (signal?.aborted) throw cancelledBy(signal);
  }

  /** Loads the kernel when it is first needed: some 15 ms, once in a process. */
  #source(encoding: EncodingName): CounterSource {
    const { engine } = this;
    return { encoding, engine, kernel: engine === 'kernel' ? sharedKernel(encoding) : undefined };
  }

  async #call<Result>(options: WorkOptions, perform: (work: Work) => Promise<Result>): Promise<Result> {
    this.#assertTaken(options);
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
  async #runEach<Group>(
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

  async #run<Type extends Task['type']>(task: Task & { type: Type }, work: Work): Promise<Results[Type]> {
    if (work.isCancelled) throw noLongerWanted();
    const startMs = performance.now();
    this.#tasks += 1;
    if (task.type === 'count') this.#countedBytes += packedBytes(task.texts);
    const isDeaf =
      'counter' in task && task.counter?.engine === 'tiktoken' && longestPieceBytes(task.texts) > DEAF_BYTES;
    const outcome = (await this.#piscina
      .run(task, { transferList: transferables(task.texts), ...(isDeaf ? { signal: work.signal } : {}) })
      .catch((error: unknown) => {
        throw toPreflightError(error);
      })
      .finally(() => {
        this.#tasks -= 1;
      })) as Outcome<Type>;
    const { runMs } = outcome;
    work.report({ waitMs: Math.max(0, performance.now() - startMs - runMs), runMs });
    if ('fault' in outcome) throw fromFault(outcome.fault);
    return outcome.ok;
  }
}

function leavesOf(trees: Map<number, string[]>, owner: number): string[] {
  const leaves = trees.get(owner) ?? [];
  trees.set(owner, leaves);
  return leaves;
}

/** An error about one text of a task, told of the caller's list instead. */
function ofItem(error: unknown, ownerOf: (item: number) => number | undefined): unknown {
  if (!(error instanceof PreflightError) || typeof error.params.item !== 'number') return error;
  const item = ownerOf(error.params.item) ?? error.params.item;
  return new PreflightError(error.code, { ...error, params: { ...error.params, item } });
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
