import type { CountResult, PreflightResult, TrimResult } from '@preflight/contracts';
import {
  type Cut,
  type Decision,
  dearestKind,
  estimatedTokens,
  type FitOptions,
  type Ledger,
  startFit,
} from '@preflight/core';
import { attachmentFigures } from './attachments/attachment-figures.js';
import type { Counted } from './counts/known-counts.js';
import { estimateTexts } from './estimated-texts.js';
import { kindsOf, ledgerOf } from './ledger-plan.js';
import { startTask, type TrimOutcome } from './lists/trim-task.js';
import type { Prepared } from './prepared.js';
import { sumParts } from './texts/distinct-texts.js';

/** What a request came to, in numbers: everything that an answer says follows from them. */
export interface Outcome extends CountResult {
  /** Tokens of each text, in the order of the request's texts. */
  readonly counts: Int32Array;
  /** Both undefined for what was only counted. */
  readonly fit: FitOutcome | undefined;
  readonly trimming: TrimOutcome | undefined;
}

export interface FitOutcome {
  readonly options: FitOptions;
  readonly cuts: readonly Cut[];
  /** What the stages come to with these options and cuts (`replayFit`). */
  readonly decision: Decision;
  readonly fitMs: number;
}

/** The ledger and what was known of it. */
export async function countedOf(
  prepared: Prepared,
  { counts, isMiss }: Counted,
): Promise<
  Pick<Outcome, 'counts' | 'ledger' | 'kinds' | 'estimate' | 'attachments' | 'emptyAttachments' | 'cache'>
> {
  const { parts, ledger: plan } = prepared;
  const summed = await sumParts(parts, plan.columns.length, { counts, isMiss });
  const { hits, misses } = summed;
  const { tokens, estimate } = await estimateTexts(plan, summed.tokens);
  return {
    counts,
    ledger: await ledgerOf(plan, tokens),
    kinds: kindsOf(plan, tokens),
    estimate,
    attachments: await attachmentFigures(plan, tokens),
    emptyAttachments: plan.emptyAttachments,
    cache: { hits, misses },
  };
}

/** The stages' options, once it is known what the marker costs. */
export function fitOptionsOf(
  { fit, ledger: { estimate } }: Prepared,
  counts: Int32Array,
): FitOptions | undefined {
  if (fit === undefined) return undefined;
  const counted = counts[fit.marker] as number;
  // It becomes part of a text of any kind.
  const markerTokens =
    estimate === undefined ? counted : estimatedTokens(estimate, dearestKind(estimate), counted);
  return { ...fit.options, markerTokens };
}

/** The outcome of a request of which all counts are known; undefined if texts must be cut, which only a thread can. */
export async function outcomeOfKnown(prepared: Prepared, counts: Int32Array): Promise<Outcome | undefined> {
  const startMs = performance.now();
  const counted = await countedOf(prepared, { counts, isMiss: new Uint8Array(counts.length) });
  const countedMs = performance.now();
  const options = fitOptionsOf(prepared, counts);
  const step = options && startFit(counted.ledger, options).step;
  if (step?.type === 'cut') return undefined;
  const trimming = trimOfKnown(prepared, counted.ledger, counts);
  if (trimming === 'needs a text') return undefined;
  return {
    ...counted,
    queueMs: 0,
    countMs: countedMs - startMs,
    fit: options &&
      step && { options, cuts: [], decision: step.decision, fitMs: performance.now() - countedMs },
    trimming,
  };
}

/** What a trim comes to without reading a text. */
function trimOfKnown(
  { trimming }: Prepared,
  ledger: Ledger,
  counts: Int32Array,
): TrimOutcome | undefined | 'needs a text' {
  if (trimming === undefined || 'decision' in trimming) return trimming;
  const startMs = performance.now();
  const { step } = startTask(trimming, ledger, counts);
  if (step.type !== 'decided') return 'needs a text';
  return { decision: step.decision, trimMs: performance.now() - startMs };
}

/** The outcome as the API takes it. */
export function preflightResultOf({ fit, trimming, counts, ...counted }: Outcome): PreflightResult {
  if (fit === undefined) throw new Error('the request was not to be made to fit');
  return { ...counted, decision: fit.decision, fitMs: fit.fitMs };
}

/** The same of a list that was trimmed as langchain-core does. */
export function trimResultOf({ fit, trimming, counts, ...counted }: Outcome): TrimResult {
  if (trimming === undefined) throw new Error('the request was not to be trimmed');
  return { ...counted, ...trimming };
}
