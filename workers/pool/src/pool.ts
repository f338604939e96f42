import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Countable,
  type Cut,
  cutsOfNumbers,
  type FitOptions,
  type KeptText,
  type Ledger,
  type MeasuredText,
  type Piece,
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
  encodingFacts,
  isShipped,
  loadCounter,
  sharedKernel,
} from '@preflight/tokenizer';
import type { ArrivingTexts } from './arriving-texts.js';
import { type AsyncCounter, asyncCounter } from './async-counter.js';
import type { Checkpoints } from './checkpoints.js';
import { areSmall, chunksOf, groupsOf } from './chunks.js';
import { Digests } from './digests.js';
import { DocumentReader } from './document-reader.js';
import type { CounterSource, Digest, FileFacts, Packed, SegmentDigest } from './messages.js';
import { Packer, pack, packedBytes } from './pack.js';
import { countTexts } from './read-texts.js';
import { Threads } from './threads.js';
import { Unpacked } from './unpack.js';
import type { Work, WorkOptions } from './work.js';

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
  /** Texts that are digested while they come, so that `digestAll` has little left to do. */
  readonly arriving: ArrivingTexts;
  readonly #threads: Threads;
  readonly #digests: Digests;
  readonly #documents = new DocumentReader();
  #countedHereBytes = 0;

  constructor({ threads = availableParallelism(), engine = 'kernel', maxQueuedTasks = 4096 }: PoolOptions) {
    this.threads = threads;
    this.engine = engine;
    this.#threads = new Threads(threads, maxQueuedTasks);
    this.#digests = new Digests(this.#threads);
    this.arriving = this.#digests.arriving;
  }

  /** What the threads do just now, and how many bytes they were given to count since the pool was made. */
  figures(): PoolFigures {
    const { runningTasks, waitingTasks, countedBytes } = this.#threads.figures();
    return {
      threads: this.threads,
      runningTasks,
      waitingTasks,
      countedBytes: countedBytes + this.#countedHereBytes,
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
    return this.#threads.call(options, async (work) => {
      const counter = this.#source(encoding);
      await this.#threads.runEach(groupsOf(chunksOf(countables, encoding)), work, async (group) => {
        const texts = pack(group.map((chunk) => chunk.countable));
        const counts = await this.#threads.run({ type: 'count', counter, texts, cancelled: work.flag }, work);
        for (const [i, { owner, ofChunks }] of group.entries()) add(owner, counts[i] as number, ofChunks);
      });
      return tokens;
    });
  }

  /**
   * Digest (`digestBytes`) of each countable as it is counted, a large one made by all threads. Rejects with `invalid_base64` too, its `params.item` being the
   * position of the countable.
   */
  digestAll(countables: readonly Countable[], options: WorkOptions = {}): Promise<Digest[]> {
    return this.#digests.ofAll(countables, options);
  }

  /**
   * SHA-256 of the file in each text, which is a data URI or base64: the same for one file however it is written, and that by which it is
   * uploaded. Null where it is no base64. One thread a file: some 2 ms a megabyte.
   */
  fileDigests(files: readonly TextRef[], options: WorkOptions = {}): Promise<(string | null)[]> {
    return this.#ofEach(files, options, (texts, _, work) =>
      this.#threads.run({ type: 'file_digest', texts, cancelled: work.flag }, work),
    );
  }

  /** Ids of the tokens of a text, four bytes each: for texts of bounded length. Much slower than to count them. */
  encode(encoding: EncodingName, text: TextRef, options: WorkOptions = {}): Promise<Int32Array> {
    return this.#threads.call(options, (work) =>
      this.#threads.run({ type: 'encode', encoding, texts: pack([[text]]), cancelled: work.flag }, work),
    );
  }

  /** Canonical base64 of the bytes of a file. */
  base64(file: TextRange, options: WorkOptions = {}): Promise<TextRange> {
    return this.#threads.call(options, async (work) => {
      const texts = pack([[file]]);
      const letters = await this.#threads.run({ type: 'base64', texts, cancelled: work.flag }, work);
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
    const { family } = encodingFacts(encoding);
    return this.#ofEach(texts, options, (packed, _, work) =>
      this.#threads.run({ type: 'segment', family, texts: packed, cancelled: work.flag }, work),
    );
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
    return this.#threads.call(workOptions, async (work) => {
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
      return cutsOfNumbers(await this.#threads.run({ type: 'cut_to_fit', ...parts }, work));
    });
  }

  /** Characters of each text, as Python counts or prints them (`measureText`). */
  async measureAll(texts: readonly MeasuredText[], options: WorkOptions = {}): Promise<Int32Array> {
    const pieces = texts.map(({ text }) => text);
    const lengths = await this.#ofEach(pieces, options, (packed, positions, work) => {
      const measures = positions.map((at) => TEXT_MEASURES.indexOf((texts[at] as MeasuredText).as));
      const task = { type: 'measure', texts: packed, measures: Uint8Array.from(measures) } as const;
      return this.#threads.run({ ...task, cancelled: work.flag }, work);
    });
    return Int32Array.from(lengths);
  }

  /**
   * What each file is, as its own bytes tell (`inspect` of `@preflight/media`). Bytes that nobody can read are facts as
   * well (`unreadable`), and no error. A photo takes a thread some 40 µs. Of a PDF, `readPdf` reads the text.
   */
  inspectAll(files: readonly InspectedFile[], options: WorkOptions = {}): Promise<FileFacts[]> {
    const texts = files.map(({ data }) => data);
    return this.#ofEach(texts, options, (packed, positions, work) => {
      const as = positions.map((at) => {
        const { data: _, ...way } = files[at] as InspectedFile;
        return way;
      });
      return this.#threads.run({ type: 'inspect', texts: packed, as, cancelled: work.flag }, work);
    });
  }

  /**
   * What all pages of a PDF say, in a thread of its own with a limit on its heap and 10 s, behind which the thread is ended
   * (`unreadable`). Also of a file that is encrypted without a password to open it. One file at a time; a page takes some 3 ms.
   */
  readPdf({ data, form }: InspectedFile, options: WorkOptions = {}): Promise<PdfReading> {
    return this.#threads.call(options, async () => {
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
    return this.#threads.call(options, (work) => {
      const counter = encoding === undefined ? undefined : this.#source(encoding);
      const task = {
        type: 'keep_pieces',
        counter,
        texts: pack([[text]]),
        step,
        cancelled: work.flag,
      } as const;
      return this.#threads.run(task, work);
    });
  }

  /** One text at a time, as `loadCounter` of the tokenizer gives it, but off this thread. */
  counter(encoding: EncodingName): AsyncCounter {
    return asyncCounter({
      count: async (text, options) => (await this.countAll(encoding, [[text]], options))[0] as number,
      cutBytes: (text, maxTokens, options) =>
        this.#threads.call(options, (work) =>
          this.#threads.run(
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
    return this.#threads.close(() => this.#documents.close());
  }

  async #countHere(
    encoding: EncodingName,
    countables: readonly Countable[],
    options: CountOptions,
  ): Promise<Int32Array> {
    this.#threads.assertTaken(options);
    const counter = await loadCounter(encoding);
    const texts = pack(countables);
    const tokens = countTexts(counter, new Unpacked(texts));
    this.#countedHereBytes += packedBytes(texts);
    if (options.onCounted) for (const [i, count] of tokens.entries()) options.onCounted(i, count);
    return tokens;
  }

  /** What `run` gives for each text, in the order of the texts: it is asked group by group, and told their positions. */
  #ofEach<Result>(
    texts: readonly Piece[],
    options: WorkOptions,
    run: (packed: Packed, positions: readonly number[], work: Work) => Promise<ArrayLike<Result>>,
  ): Promise<Result[]> {
    const results = new Array<Result>(texts.length);
    const items = texts.map((text, position) => ({ position, countable: [text] }));
    return this.#threads.call(options, async (work) => {
      await this.#threads.runEach(groupsOf(items), work, async (group) => {
        const packed = pack(group.map(({ countable }) => countable));
        const positions = group.map(({ position }) => position);
        const found = await run(packed, positions, work);
        for (const [i, position] of positions.entries()) results[position] = found[i] as Result;
      });
      return results;
    });
  }

  /** Loads the kernel when it is first needed: some 15 ms, once in a process. */
  #source(encoding: EncodingName): CounterSource {
    const engine = isShipped(encoding) ? this.engine : 'kernel';
    return { encoding, engine, kernel: engine === 'kernel' ? sharedKernel(encoding) : undefined };
  }
}
