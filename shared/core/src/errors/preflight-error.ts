import { ERROR_CATALOG, type ErrorCode } from './catalog.js';

/** A place in the request and what is wrong there; `pointer` is a JSON pointer (RFC 6901). */
export interface Issue {
  readonly pointer: string;
  readonly detail: string;
}

/** Figures of an error, such as a limit and the size that broke it. Never content. */
export type ErrorParams = Readonly<Record<string, string | number | boolean | null>>;

export interface ErrorParts {
  /** For the caller; if absent, what is wrong at the places, or the catalog's description. */
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
    this.publicDetail = parts.publicDetail ?? inWords(parts.issues) ?? ERROR_CATALOG[code].description;
    this.internalDetail = parts.internalDetail;
    this.params = parts.params ?? {};
    this.issues = parts.issues;
    this.missing = parts.missing;
  }

  /** The same error of a value that stands deeper: its places go on from `pointer`. */
  below(pointer: string): PreflightError {
    const issues = this.issues?.map((issue) => ({ ...issue, pointer: pointer + issue.pointer }));
    const isOfPlaces = this.publicDetail === inWords(this.issues);
    const publicDetail = isOfPlaces ? undefined : this.publicDetail;
    return new PreflightError(this.code, { ...this, publicDetail, issues, cause: this });
  }
}

/** Places in a sentence; of many, the first. */
function inWords(issues: readonly Issue[] = []): string | undefined {
  if (issues.length === 0) return undefined;
  const told = issues.slice(0, MOST_TOLD).map(({ pointer, detail }) => `${pointer || 'The body'} ${detail}`);
  const left = issues.length - told.length;
  return `${told.join('; ')}${left > 0 ? `; and ${left} more` : ''}.`;
}

const MOST_TOLD = 5;

/** The time for a request, or for a job, is over. */
export function deadlineExceeded(deadlineMs: number): PreflightError {
  return new PreflightError('deadline_exceeded', {
    publicDetail: `The work was not finished within ${deadlineMs} ms and has been stopped.`,
    params: { deadline_ms: deadlineMs },
  });
}
