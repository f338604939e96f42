import type { PreflightResponse, Problem, Warning } from '@preflight/contracts';
import { ERROR_CATALOG, type ErrorCode, type Json, PreflightError, type Refused } from '@preflight/core';
import type { Answer } from '../answers/answer.js';

/** Seconds after which a refused caller should try again. */
const RETRY_AFTER_SECONDS = 1;

export interface ProblemContext {
  /** Path of the request. */
  readonly instance: string;
  readonly requestId: string;
}

/** The answer to an error: what its code says in the catalog, and the public half of what it carries. */
export function problemOf(error: PreflightError, context: ProblemContext): Answer {
  const { issues, missing, params } = error;
  return answer(error.code, context, {
    detail: error.publicDetail,
    ...(issues ? { errors: issues.map((issue) => ({ ...issue })) } : {}),
    ...(missing ? { missing: [...missing] } : {}),
    ...(Object.keys(params).length > 0 ? { figures: params as NonNullable<Problem['figures']> } : {}),
  });
}

/** A conversation that cannot fit: figures, what stands in the way and what would help (langroid-overflow §8). */
export function refusalProblem(
  refused: Refused,
  limits: PreflightResponse['limits'],
  about: Pick<Problem, 'attachments' | 'attachment_count'> & { readonly warnings: readonly Warning[] },
  context: ProblemContext,
): Answer {
  const { warnings, ...burden } = about;
  const { code, indices, figures, limit, unshrinkable, hints } = refused;
  return answer(code, context, {
    detail: refusalDetail(refused),
    figures: {
      history_tokens_before: figures.historyTokensBefore,
      history_tokens_after: figures.historyTokensAfter,
      budget: figures.budget,
      shortfall: figures.shortfall,
      context_window: figures.contextWindow,
      max_output_tokens: figures.maxOutputTokens,
      min_output_tokens: figures.minOutputTokens,
      ...(figures.bytes && {
        request_bytes_before: figures.bytes.before,
        request_bytes_after: figures.bytes.after,
        max_request_bytes: figures.bytes.budget,
        bytes_shortfall: figures.bytes.shortfall,
      }),
    },
    limits: { ...limits, refused_by: isOfBytesAlone(figures) ? 'max_request_bytes' : limit },
    ...(indices && { indices: [...indices] }),
    unshrinkable: unshrinkable.map((entry) => ({
      index: entry.index,
      reason: entry.reason,
      content_tokens: entry.contentTokens,
      attachment_tokens: entry.attachmentTokens,
      other_tokens: entry.otherTokens,
      ...(entry.bytes === undefined ? {} : { bytes: entry.bytes }),
    })),
    ...burden,
    hints: hints.map((hint) => ({ ...hint })),
    warnings: [...warnings],
  });
}

/** Why a conversation cannot fit, with what is left of it and what it may have. */
function refusalDetail({ code, figures }: Refused): string {
  const { historyTokensAfter, budget, shortfall, bytes } = figures;
  const sentences = isOfBytesAlone(figures)
    ? ['What the strategies may do has been done.']
    : [ERROR_CATALOG[code].description];
  if (shortfall > 0)
    sentences.push(
      `The history has ${historyTokensAfter} tokens left, ${shortfall} more than its budget of ${budget}.`,
    );
  if (bytes !== undefined && bytes.shortfall > 0)
    sentences.push(
      `The request has ${bytes.after} bytes left as JSON, ${bytes.shortfall} more than \`max_request_bytes\`, ${bytes.budget}.`,
    );
  return sentences.join(' ');
}

/** Whatever was thrown, as an error of ours; the web framework's own included. What nobody foresaw is a bug. */
export function toPreflightError(error: unknown): PreflightError {
  if (error instanceof PreflightError) return error;
  const code = FRAMEWORK_CODES.get((error as { code?: unknown } | null | undefined)?.code);
  return code
    ? new PreflightError(code, { cause: error })
    : new PreflightError('internal_error', { cause: error });
}

const FRAMEWORK_CODES: ReadonlyMap<unknown, ErrorCode> = new Map([
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'request_cancelled'],
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'body_too_large'],
  ['FST_ERR_BAD_URL', 'not_found'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'not_found'],
]);

function answer(
  code: ErrorCode,
  context: ProblemContext,
  members: Partial<Problem> & { detail: string },
): Answer {
  const { title, httpStatus, retry } = ERROR_CATALOG[code];
  return {
    status: httpStatus,
    headers: {
      'content-type': 'application/problem+json',
      ...(retry === 'after' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}),
    },
    body: {
      type: `urn:preflight:problem:${code}`,
      title,
      status: httpStatus,
      instance: context.instance,
      code,
      request_id: context.requestId,
      ...members,
    } satisfies Problem as unknown as Json,
  };
}

/** Whether the history fits by tokens, and its JSON is too long. */
function isOfBytesAlone({ shortfall, bytes }: Refused['figures']): boolean {
  return shortfall <= 0 && bytes !== undefined && bytes.shortfall > 0;
}
