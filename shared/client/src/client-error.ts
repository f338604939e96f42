import type { Problem } from '@preflight/contracts';
import { ERROR_CATALOG, type ErrorCode, isErrorCode } from '@preflight/core';

/** A code of the service's catalog; `unreachable`: no answer came; `unexpected_answer`: one that is not the service's. */
export type ClientErrorCode = ErrorCode | 'unreachable' | 'unexpected_answer';

/** What a call came to when it has no result: the service's problem, with its figures and hints, or none at all. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** HTTP status; 0 if no answer came. */
  readonly status: number;
  /** The problem document, as it came. */
  readonly problem: Problem | undefined;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ClientErrorCode, detail: string, parts: ClientErrorParts = {}) {
    super(`${code}: ${detail}`, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = code;
    this.status = parts.status ?? 0;
    this.problem = parts.problem;
    this.retryAfterMs = parts.retryAfterMs;
  }

  /** The numbers behind a refusal, such as `shortfall` with 422. */
  get figures(): NonNullable<Problem['figures']> {
    return this.problem?.figures ?? {};
  }

  /** With 422: what would help. */
  get hints(): NonNullable<Problem['hints']> {
    return this.problem?.hints ?? [];
  }

  /** Places in the request, as JSON pointers. */
  get issues(): NonNullable<Problem['errors']> {
    return this.problem?.errors ?? [];
  }

  /** Whether the same call may succeed later. */
  get isPassing(): boolean {
    if (this.code === 'unreachable') return true;
    if (isErrorCode(this.code)) return ERROR_CATALOG[this.code].retry !== 'never';
    // What stands between, such as a load balancer, has statuses and no codes.
    return [429, 502, 503, 504].includes(this.status);
  }
}

interface ClientErrorParts {
  readonly status?: number;
  readonly problem?: Problem;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The error that an answer tells of. Reads the answer to its end. */
export async function errorOfAnswer(answer: Response): Promise<ClientError> {
  const { status } = answer;
  const retryAfterMs = retryAfterOf(answer.headers.get('retry-after'));
  const problem = problemOf(await answer.text().catch(() => ''));
  return problem
    ? new ClientError(problem.code as ErrorCode, problem.detail, { status, problem, retryAfterMs })
    : new ClientError('unexpected_answer', `status ${status}`, { status, retryAfterMs });
}

/** The error of a call that got no answer. It says where the service was looked for, but not with what password. */
export function errorOfSilence(baseUrl: string, cause: unknown): ClientError {
  return new ClientError('unreachable', `the service at ${new URL(baseUrl).origin} did not answer`, {
    cause,
  });
}

/** The error that a call would have been answered with. */
export function errorOfProblem(problem: Problem): ClientError {
  return new ClientError(problem.code as ErrorCode, problem.detail, { status: problem.status, problem });
}

function problemOf(text: string): Problem | undefined {
  try {
    const parsed = JSON.parse(text);
    return typeof parsed?.code === 'string' && isErrorCode(parsed.code) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
