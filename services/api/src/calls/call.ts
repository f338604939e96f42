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
import { PreflightError } from '@preflight/core';
import type { Metrics } from '@preflight/runtime';
import type { Answer } from '../answers/answer.js';
import type { ProblemContext } from '../problems/problems.js';

/** Calls as their routes name them. */
export type CallKind = 'preflight' | 'count';

/** A call whose body was read and checked: what is to be done, and how what it came to is answered, now or later. */
interface ReadCall<Kind, Job, Result> {
  readonly kind: Kind;
  readonly job: Job;
  /** Where the conversation stands in the body, as the start of JSON pointers. */
  readonly pointerPrefix: '' | '/request';
  answer(result: Result, context: ProblemContext): Promise<Answer>;
}

export type PreflightCall = ReadCall<'preflight', PreflightJob, PreflightResult>;
/** A preflight call in the strict mode. */
export type TrimCall = ReadCall<'list', TrimJob, TrimResult>;
export type CountCall = ReadCall<'count', CountJob | ListJob, CountResult>;
export type Call = PreflightCall | TrimCall | CountCall;

/** Has a call done and answered. Rejects with PreflightError, its places being those of the body. */
export async function performCall(
  call: Call,
  { work, metrics }: { readonly work: Work; readonly metrics: Metrics },
  context: ProblemContext & { readonly signal: AbortSignal },
): Promise<Answer> {
  const { signal } = context;
  if (call.kind === 'count') return call.answer(await placed(call, work.count(call.job, signal)), context);
  if (call.kind === 'list') return call.answer(await placed(call, work.trim(call.job, signal)), context);
  const result = await placed(call, work.preflight(call.job, signal));
  metrics.decided(result.decision);
  return call.answer(result, context);
}

/** Pointers of a conversation start at the provider's request; in the body it may stand deeper. */
export function placed<Result>(
  { pointerPrefix }: Pick<Call, 'pointerPrefix'>,
  working: Promise<Result>,
): Promise<Result> {
  return working.catch((error: unknown) => {
    throw pointerPrefix !== '' && error instanceof PreflightError ? error.below(pointerPrefix) : error;
  });
}
