import { ERROR_CATALOG, type ErrorCode } from './catalog.js';

/** A place in the request and what is wrong there; `pointer` is a JSON pointer (RFC 6901). */
export interface Issue {
  readonly pointer: string;
  readonly detail: string;
}

/** Figures of an error, such as a limit and the size that broke it. Never content. */
export type ErrorParams = Readonly<Record<string, string | number | boolean | null>>;

export interface ErrorParts {
  /** For the caller; the catalog's description if absent. */
  readonly publicDetail?: string | undefined;
  /** For the operator, in logs only. */
  readonly internalDetail?: string | undefined;
  readonly params?: ErrorParams | undefined;
  readonly issues?: readonly Issue[] | undefined;
  /** Digests of what must be uploaded before the same request can be answered. */
  readonly missing?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/**
 * A failure that was foreseen: a code of the catalog, with one text for the caller and another for the operator.
 * The message is the code, so that printing an error shows neither of them to the wrong reader.
 */
export class PreflightError extends Error {
  override readonly name = 'PreflightError';
  readonly code: ErrorCode;
  readonly publicDetail: string;
  readonly internalDetail: string | undefined;
  readonly params: ErrorParams;
  readonly issues: readonly Issue[] | undefined;
  readonly missing: readonly string[] | undefined;

  constructor(code: ErrorCode, parts: ErrorParts = {}) {
    super(code, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = code;
    this.publicDetail = parts.publicDetail ?? ERROR_CATALOG[code].description;
    this.internalDetail = parts.internalDetail;
    this.params = parts.params ?? {};
    this.issues = parts.issues;
    this.missing = parts.missing;
  }
}

/** The time for a request, or for a job, is over. */
export function deadlineExceeded(deadlineMs: number): PreflightError {
  return new PreflightError('deadline_exceeded', {
    publicDetail: `The work was not finished within ${deadlineMs} ms and has been stopped.`,
    params: { deadline_ms: deadlineMs },
  });
}
