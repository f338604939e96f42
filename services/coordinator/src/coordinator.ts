import type {
  CountJob,
  CountResult,
  CountTextJob,
  CountTextResult,
  PreflightJob,
  PreflightResult,
  Work,
} from '@preflight/contracts';
import {
  type Decision,
  type FitOptions,
  FLOOR_TOKENS,
  type Ledger,
  MARK,
  replayFit,
  startFit,
  type TextRef,
} from '@preflight/core';
import type { Checkpoints, Pool, WorkOptions } from '@preflight/pool';
import type { CountCache } from '@preflight/storage';
import { atPlaceIn, type CountPlan, planCounts } from './count-plan.js';
import { KnownCounts, knownEncoding } from './known-counts.js';
import { isLongText, SegmentCounts } from './segment-counts.js';

/**
 * Does the work of a request: count cache, then pool, ledger, fit, decision. Holds nothing but the cache; texts are
 * passed on, never read here. Rejects with PreflightError, the pool's codes among them.
 */
export class Coordinator implements Work {
  readonly #pool: Pool;
  readonly #counts: KnownCounts;
  readonly #segments: SegmentCounts;

  constructor(parts: { pool: Pool; cache: CountCache }) {
    this.#pool = parts.pool;
    this.#segments = new SegmentCounts(parts);
    this.#counts = new KnownCounts({ ...parts, segments: this.#segments });
  }

  async preflight(job: PreflightJob, signal: AbortSignal): Promise<PreflightResult> {
    const { options, figures } = watch(signal);
    const counted = await this.#count(job, options);
    const marker = await this.#counts.count(job.encoding, [[MARK]], options);
    const startMs = performance.now();
    const fit = { ...job.fit, markerTokens: marker.tokens[0] as number };
    const decision = await this.#decide(job, counted.ledger, fit, options);
    return { ...counted, decision, queueMs: figures.queueMs, fitMs: performance.now() - startMs };
  }

  async count(job: CountJob, signal: AbortSignal): Promise<CountResult> {
    const { options, figures } = watch(signal);
    return { ...(await this.#count(job, options)), queueMs: figures.queueMs };
  }

  async countText({ text, encoding }: CountTextJob, signal: AbortSignal): Promise<CountTextResult> {
    const { options, figures } = watch(signal);
    const startMs = performance.now();
    const { tokens, hits, misses } = await this.#counts.count(encoding, [[text]], options);
    const countMs = performance.now() - startMs;
    return { tokens: tokens[0] as number, cache: { hits, misses }, queueMs: figures.queueMs, countMs };
  }

  async #count(job: CountJob, options: WorkOptions): Promise<Omit<CountResult, 'queueMs'>> {
    const startMs = performance.now();
    const plan: CountPlan = await planCounts(job);
    const { tokens, hits, misses } = await this.#counts
      .count(job.encoding, plan.countables, options)
      .catch((error: unknown) => {
        throw atPlaceIn(plan, error);
      });
    return {
      ledger: await plan.ledger(tokens),
      emptyAttachments: plan.emptyAttachments,
      cache: { hits, misses },
      countMs: performance.now() - startMs,
    };
  }

  /** Arithmetic alone decides most requests. Only where texts must be cut does a thread drive the steps. */
  async #decide(job: PreflightJob, ledger: Ledger, fit: FitOptions, options: WorkOptions): Promise<Decision> {
    const first = startFit(ledger, fit).step;
    if (first.type === 'decided') return first.decision;
    const { messages } = job.conversation;
    const smallestCutTokens = FLOOR_TOKENS + fit.markerTokens;
    const lastUser = ledger.isUser.lastIndexOf(1);
    const textsOf = (index: number) =>
      index >= ledger.protectedCount &&
      index < lastUser &&
      (ledger.contentTokens[index] as number) > smallestCutTokens
        ? (messages[index]?.texts ?? [])
        : [];
    const encoding = knownEncoding(job.encoding);
    const long = messages.flatMap((_, index) => textsOf(index)).filter(isLongText);
    const checkpoints = new Map<TextRef, Checkpoints>();
    for (const [i, known] of (await this.#segments.checkpoints(encoding, long, options)).entries())
      checkpoints.set(long[i] as TextRef, known);
    const checkpointsOf = (text: TextRef) => checkpoints.get(text);
    const cuts = await this.#pool.cutToFit(encoding, ledger, fit, textsOf, checkpointsOf, options);
    return replayFit(ledger, fit, cuts);
  }
}

/** Pool options for one request, and the longest that one of its tasks waited for a thread. */
function watch(signal: AbortSignal): { options: WorkOptions; figures: { queueMs: number } } {
  const figures = { queueMs: 0 };
  const onTask = ({ waitMs }: { waitMs: number }) => {
    figures.queueMs = Math.max(figures.queueMs, waitMs);
  };
  return { options: { signal, onTask }, figures };
}
