import { randomUUID } from 'node:crypto';
import type {
  CountJob,
  CountResult,
  ListJob,
  PreflightJob,
  PreflightResult,
  TrimJob,
  TrimResult,
  Work,
} from '@preflight/contracts';
import {
  cuttableMessages,
  type FitOptions,
  type Ledger,
  replayFit,
  startFit,
  TextRange,
  type TextRef,
} from '@preflight/core';
import type { Checkpoints, Pool, WorkOptions } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import type { CountCache, PayloadStore } from '@preflight/storage';
import { KnownCounts } from './counts/known-counts.js';
import { isLongText, SegmentCounts } from './counts/segment-counts.js';
import { startTask, type TrimOutcome } from './lists/trim-task.js';
import {
  countedOf,
  type FitOutcome,
  fitOptionsOf,
  type Outcome,
  preflightResultOf,
  trimResultOf,
} from './outcome.js';
import { prepare } from './prepare.js';
import type { FitTask, Prepared } from './prepared.js';
import { holdBlobs } from './texts/hold-blobs.js';
import { type KeyedText, readAll } from './texts/keyed-text.js';

/** Longer than any request takes; what it holds is let go when it ends. */
const HOLD_MS = 7_200_000;

/**
 * Does the work of a request: count cache, then pool, ledger, fit, decision. Holds nothing but the cache; texts are
 * passed on, never read here. Rejects with PreflightError, the pool's codes among them.
 */
export class Coordinator implements Work {
  readonly #pool: Pool;
  readonly #cache: CountCache;
  readonly #payloads: PayloadStore;
  readonly #counts: KnownCounts;
  readonly #segments: SegmentCounts;

  constructor(parts: { pool: Pool; cache: CountCache; payloads: PayloadStore }) {
    this.#pool = parts.pool;
    this.#cache = parts.cache;
    this.#payloads = parts.payloads;
    this.#segments = new SegmentCounts(parts);
    this.#counts = new KnownCounts({ ...parts, segments: this.#segments });
  }

  async preflight(job: PreflightJob, signal: AbortSignal): Promise<PreflightResult> {
    return preflightResultOf(await this.#prepareAndPerform(job, signal));
  }

  async count(job: CountJob | ListJob, signal: AbortSignal): Promise<CountResult> {
    return this.#prepareAndPerform(job, signal);
  }

  async trim(job: TrimJob, signal: AbortSignal): Promise<TrimResult> {
    return trimResultOf(await this.#prepareAndPerform(job, signal));
  }

  /** The work on a request that was prepared, here or elsewhere. */
  perform(prepared: Prepared, signal: AbortSignal): Promise<Outcome> {
    return this.#perform(prepared, watch(signal), performance.now());
  }

  async #prepareAndPerform(
    job: CountJob | ListJob | PreflightJob | TrimJob,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const startMs = performance.now();
    const watched = watch(signal);
    const stores = { pool: this.#pool, cache: this.#cache, payloads: this.#payloads };
    const prepared = await prepare(stores, job, watched.options);
    const lease = randomUUID();
    try {
      await holdBlobs(stores, prepared.texts, { lease, lifetimeMs: HOLD_MS });
      return await this.#perform(prepared, watched, startMs);
    } finally {
      await this.#payloads.release([lease]);
    }
  }

  async #perform(prepared: Prepared, { options, figures }: Watched, startMs: number): Promise<Outcome> {
    const found = await this.#counts.count(prepared.encoding, prepared.texts, options);
    const counted = await countedOf(prepared, found);
    const countedMs = performance.now();
    const fit = fitOptionsOf(prepared, found.counts);
    const decided = fit && (await this.#decide(prepared, counted.ledger, fit, options));
    return {
      ...counted,
      queueMs: figures.queueMs,
      countMs: countedMs - startMs,
      fit: fit && decided && { options: fit, ...decided, fitMs: performance.now() - countedMs },
      trimming: await this.#trim(prepared, counted, options),
    };
  }

  async #trim(
    { encoding, texts, trimming }: Prepared,
    { ledger, counts }: Pick<Outcome, 'ledger' | 'counts'>,
    options: WorkOptions,
  ): Promise<TrimOutcome | undefined> {
    if (trimming === undefined || 'decision' in trimming) return trimming;
    const startMs = performance.now();
    const { step, decide } = startTask(trimming, ledger, counts);
    if (step.type === 'decided') return { decision: step.decision, trimMs: performance.now() - startMs };
    const part = (trimming.partStarts[step.index] as number) + step.part;
    const [text = ''] = await (texts[trimming.partTexts[part] as number] as KeyedText).read();
    const kept = await this.#pool.keepPieces(encoding, text as TextRef, step, options);
    return { decision: decide(kept), trimMs: performance.now() - startMs };
  }

  /** Arithmetic alone decides most requests. Only where texts must be cut does a thread drive the steps. */
  async #decide(
    prepared: Prepared,
    ledger: Ledger,
    fit: FitOptions,
    options: WorkOptions,
  ): Promise<Pick<FitOutcome, 'decision' | 'cuts'>> {
    const first = startFit(ledger, fit).step;
    if (first.type === 'decided') return { decision: first.decision, cuts: [] };
    const { textsOf, long } = await readCuttable(prepared, ledger, fit);
    const checkpoints = new Map<TextRef, Checkpoints>();
    for (const [i, known] of (await this.#segments.checkpoints(prepared.encoding, long, options)).entries())
      checkpoints.set(long[i] as TextRef, known);
    const cuts = await this.#pool.cutToFit(
      prepared.encoding,
      ledger,
      fit,
      (index) => textsOf.get(index) ?? [],
      (text) => checkpoints.get(text),
      { ...options, estimate: prepared.ledger.estimate },
    );
    return { decision: replayFit(ledger, fit, cuts), cuts };
  }
}

/** The texts of messages that may be cut, by the index of the message, and which of them are long. */
async function readCuttable(
  { texts, fit: task }: Prepared,
  ledger: Ledger,
  fit: FitOptions,
): Promise<{ textsOf: Map<number, TextRef[]>; long: TextRange[] }> {
  const { contents } = task as FitTask;
  const positionsOf = (index: number) =>
    contents.texts.subarray(contents.starts[index], contents.starts[index + 1]);
  const indexes = cuttableMessages(ledger, fit);
  const turn = new Turn();
  const distinct = new Set<number>();
  await turn.each(indexes, (index) => {
    for (const position of positionsOf(index)) if (position >= 0) distinct.add(position);
  });
  const positions = [...distinct];
  const read = await readAll(positions.map((position) => texts[position] as KeyedText));
  const byPosition = new Map<number, TextRef>();
  const long: TextRange[] = [];
  await turn.each(positions, (position, i) => {
    const text = read[i]?.[0] as TextRef;
    byPosition.set(position, text);
    if (text instanceof TextRange && isLongText(text)) long.push(text);
  });
  const textsOf = new Map<number, TextRef[]>();
  await turn.each(indexes, (index) => {
    const ofMessage = Array.from(positionsOf(index), (position) => byPosition.get(position) ?? '');
    textsOf.set(index, ofMessage);
  });
  return { textsOf, long };
}

interface Watched {
  readonly options: WorkOptions;
  readonly figures: { queueMs: number };
}

/** Pool options for one request, and the longest that one of its tasks waited for a thread. */
function watch(signal: AbortSignal): Watched {
  const figures = { queueMs: 0 };
  const onTask = ({ waitMs }: { waitMs: number }) => {
    figures.queueMs = Math.max(figures.queueMs, waitMs);
  };
  return { options: { signal, onTask }, figures };
}
