import { ERROR_CATALOG, type ErrorCode, isErrorCode } from './catalog.js';
import { type ErrorParams, type Issue, PreflightError } from './preflight-error.js';

/** An error as plain data: what threads and jobs carry instead of Error objects. */
export interface Fault {
  readonly code: ErrorCode;
  readonly publicDetail: string;
  readonly internalDetail?: string;
  readonly params: ErrorParams;
  readonly issues?: readonly Issue[];
  readonly missing?: readonly string[];
  readonly cause?: Fault;
}

/** Causes below this depth are left out; it also ends a chain that leads back to itself. */
const MAX_CAUSES = 8;

/**
 * Whatever was thrown, as data. What is not a PreflightError becomes `internal_error`, its message and stack going
 * to the internal detail only.
 */
export function toFault(error: unknown): Fault {
  return faultOf(error, MAX_CAUSES);
}

/** The error of a fault, to be thrown on this side of a thread or a queue. */
export function fromFault(fault: Fault): PreflightError {
  const cause = fault.cause && fromFault(fault.cause);
  // Jobs outlive versions, so a code may be one that only another version knows.
  if (!isErrorCode(fault.code)) {
    return new PreflightError('internal_error', {
      internalDetail: `unknown error code ${fault.code}`,
      cause,
    });
  }
  return new PreflightError(fault.code, { ...fault, cause });
}

function faultOf(error: unknown, causesLeft: number): Fault {
  const cause = error instanceof Error && causesLeft > 0 ? error.cause : undefined;
  const causePart = cause === undefined ? {} : { cause: faultOf(cause, causesLeft - 1) };
  if (!(error instanceof PreflightError)) {
    return {
      code: 'internal_error',
      publicDetail: ERROR_CATALOG.internal_error.description,
      internalDetail: error instanceof Error ? (error.stack ?? String(error)) : String(error),
      params: {},
      ...causePart,
    };
  }
  const { code, publicDetail, internalDetail, params, issues, missing } = error;
  return {
    code,
    publicDetail,
    ...(internalDetail === undefined ? {} : { internalDetail }),
    params,
    ...(issues === undefined ? {} : { issues }),
    ...(missing === undefined ? {} : { missing }),
    ...causePart,
  };
}
