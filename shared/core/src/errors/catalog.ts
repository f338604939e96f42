import { type RefusalCode, STRATEGIES } from '../fit/strategies/index.js';
import { TRIM_OPTION_REFUSALS, type TrimOptionCode } from '../trim-messages/trim-strategy.js';

/** How an error is answered, retried and logged. */
export interface CatalogEntry {
  /** Short and always the same: the title of the problem document. */
  readonly title: string;
  readonly httpStatus: number;
  /** `never`: the same request fails again; `backoff`: may work later; `after`: the answer says when. */
  readonly retry: 'never' | 'backoff' | 'after';
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** One sentence for the caller; the public detail where an error brings none of its own. */
  readonly description: string;
}

/** A request that is wrong stays wrong, and is its sender's affair. */
const callersMistake = (httpStatus: number, title: string, description: string) =>
  ({ title, httpStatus, retry: 'never', logLevel: 'info', description }) as const;

/** What strategies answer when a conversation cannot be made to fit. */
const REFUSALS = Object.fromEntries(
  Object.values(STRATEGIES)
    .flatMap(({ refusals }) => Object.values(refusals))
    .map(({ code, title, description }) => [code, callersMistake(422, title, description)]),
) as Record<RefusalCode, ReturnType<typeof callersMistake>>;

/** What the strict mode refuses about its options. */
const TRIM_OPTIONS = Object.fromEntries(
  Object.values(TRIM_OPTION_REFUSALS).map(({ code, title, description }) => [
    code,
    callersMistake(400, title, description),
  ]),
) as Record<TrimOptionCode, ReturnType<typeof callersMistake>>;

/**
 * Every error of the product. The code decides status, retry and log level. Codes never change their meaning;
 * retired ones stay listed.
 */
export const ERROR_CATALOG = {
  ...REFUSALS,
  ...TRIM_OPTIONS,

  invalid_json: callersMistake(400, 'Invalid JSON', 'The body is not valid JSON.'),
  invalid_utf8: callersMistake(400, 'Invalid UTF-8', 'The body is not valid UTF-8.'),
  body_too_deep: callersMistake(
    400,
    'Body nested too deeply',
    'The body is nested more deeply than allowed.',
  ),
  body_too_many_values: callersMistake(
    400,
    'Too many values in the body',
    'The body has more JSON values than allowed.',
  ),
  object_too_large: callersMistake(
    400,
    'Too many members in an object',
    'An object of the body has more members than allowed.',
  ),
  key_too_long: callersMistake(400, 'Key too long', 'A key of an object of the body is longer than allowed.'),
  invalid_request: callersMistake(400, 'Invalid request', 'The request does not match the schema.'),
  unknown_option: callersMistake(400, 'Unknown option', 'The request has an option that does not exist.'),
  unsupported_option: callersMistake(
    400,
    'Unsupported option',
    'The request has an option, or a value of one, that is not supported.',
  ),
  unknown_encoding: callersMistake(400, 'Unknown encoding', 'There is no encoding of this name.'),
  unknown_format: callersMistake(400, 'Unknown format', 'There is no conversation format of this name.'),
  context_window_required: callersMistake(
    400,
    'Context window required',
    'The context window of the model is unknown: give context_window or budget_tokens.',
  ),
  invalid_base64: callersMistake(400, 'Invalid base64', 'The bytes of an attachment are not valid base64.'),
  malformed_digest: callersMistake(
    400,
    'Malformed digest',
    'A digest is the SHA-256 of the bytes, as 64 hexadecimal digits in lower case.',
  ),
  digest_mismatch: callersMistake(
    400,
    'Digest mismatch',
    'The bytes that came are not those of the digest. Nothing has been stored.',
  ),
  too_many_messages: callersMistake(
    400,
    'Too many messages',
    'The conversation has more messages than allowed.',
  ),

  not_found: callersMistake(404, 'Not found', 'There is nothing at this address.'),
  model_not_found: callersMistake(
    404,
    'Model not found',
    'The catalog has no model of this name. The answer names those that are most like it.',
  ),
  method_not_allowed: callersMistake(405, 'Method not allowed', 'This address does not take this method.'),
  idempotency_key_reused: callersMistake(
    409,
    'Idempotency key reused',
    'This Idempotency-Key was used for another request, which is still remembered.',
  ),
  job_cancelled: callersMistake(409, 'Job cancelled', 'The job was cancelled before it was done.'),
  job_expired: callersMistake(
    410,
    'Job expired',
    'The job has ended, and what it came to is not kept any more.',
  ),
  results_not_read: callersMistake(
    409,
    'Results not read',
    'The results of the batch wait for their reader, and no more of it is taken. Read them, then send what has none.',
  ),
  body_too_large: callersMistake(413, 'Body too large', 'The body is larger than allowed.'),
  too_many_tokens: callersMistake(
    413,
    'Too many tokens',
    'The text has more tokens than are given in one answer. To count them, ask without `return_tokens`.',
  ),
  unknown_digests: callersMistake(
    424,
    'Unknown digests',
    'The request names attachments by digest that are not here. Upload those listed, then send it again.',
  ),
  unsupported_media_type: callersMistake(
    415,
    'Unsupported media type',
    'The body must be application/json, and that of a batch application/x-ndjson.',
  ),
  malformed_http: callersMistake(
    400,
    'Malformed HTTP',
    'What came over the connection is not a whole HTTP/1.1 request. The connection is closed.',
  ),
  headers_too_large: callersMistake(
    431,
    'Headers too large',
    'The request line and the headers are together longer than 16 KiB. The connection is closed.',
  ),
  request_timeout: {
    title: 'Request timeout',
    httpStatus: 408,
    retry: 'backoff',
    logLevel: 'info',
    description: 'The request did not come in whole in its time. The connection is closed.',
  },
  request_cancelled: callersMistake(
    499,
    'Request cancelled',
    'The caller left before the answer was ready, and the work has been stopped.',
  ),

  internal_error: {
    title: 'Internal error',
    httpStatus: 500,
    retry: 'backoff',
    logLevel: 'error',
    description: 'Something went wrong on our side. It has been logged.',
  },
  job_poisoned: {
    title: 'Job poisoned',
    httpStatus: 500,
    retry: 'never',
    logLevel: 'error',
    description:
      'The work ended the process that did it, several times, and is not tried again. It has been logged.',
  },
  overloaded: {
    title: 'Overloaded',
    httpStatus: 503,
    retry: 'after',
    logLevel: 'warn',
    description: 'All places in the queue are taken. Try again after the time given.',
  },
  storage_unavailable: {
    title: 'Storage unavailable',
    httpStatus: 503,
    retry: 'after',
    logLevel: 'warn',
    description: 'A store that is needed does not answer. Try again after the time given.',
  },
  vocabulary_unavailable: {
    title: 'Vocabulary unavailable',
    httpStatus: 500,
    retry: 'never',
    logLevel: 'error',
    description:
      'A coordinator was not given the vocabulary that the API counts with, or another version of it: PREFLIGHT_TOKENIZERS must be the same everywhere.',
  },
  version_mismatch: {
    title: 'Versions do not match',
    httpStatus: 503,
    retry: 'after',
    logLevel: 'warn',
    description:
      'API and coordinator are of versions that do not work together: one of them is being replaced, or was forgotten. Try again after the time given.',
  },
  shutting_down: {
    title: 'Shutting down',
    httpStatus: 503,
    retry: 'after',
    logLevel: 'info',
    description: 'The service is stopping and takes no new work. Try again after the time given.',
  },
  deadline_exceeded: {
    title: 'Deadline exceeded',
    httpStatus: 504,
    retry: 'backoff',
    logLevel: 'warn',
    description: 'The work was not finished in its time and has been stopped.',
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOG;

/** Tells a code of the catalog from any other string. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOG, code);
}
