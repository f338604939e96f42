import { expect, test } from 'vitest';
import { type CatalogEntry, ERROR_CATALOG, type ErrorCode, isErrorCode } from './catalog.js';

/** The other side of the books: every code with its status, so that neither changes unnoticed. */
const STATUSES: Record<ErrorCode, number> = {
  ran_out_of_messages: 422,
  output_below_min_after_truncate: 422,
  output_below_min_after_drop: 422,
  start_on_with_first: 400,
  include_system_with_first: 400,
  unknown_strategy: 400,
  newest_over_budget: 422,
  output_below_min_after_trim: 422,
  system_over_budget: 422,
  no_start_match: 422,
  no_end_match: 422,
  malformed_tool_history: 422,
  over_budget_after_eliding: 422,
  over_budget_without_attachments: 422,
  over_budget_without_repeated_attachments: 422,
  output_below_min_without_repeated_attachments: 422,
  output_below_min_without_attachments: 422,
  output_below_min_after_eliding: 422,
  invalid_json: 400,
  invalid_utf8: 400,
  body_too_deep: 400,
  body_too_many_values: 400,
  object_too_large: 400,
  key_too_long: 400,
  invalid_request: 400,
  unknown_option: 400,
  unsupported_option: 400,
  unknown_encoding: 400,
  unknown_format: 400,
  context_window_required: 400,
  invalid_base64: 400,
  malformed_digest: 400,
  digest_mismatch: 400,
  too_many_messages: 400,
  not_found: 404,
  model_not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  job_cancelled: 409,
  job_expired: 410,
  results_not_read: 409,
  body_too_large: 413,
  too_many_tokens: 413,
  unsupported_media_type: 415,
  malformed_http: 400,
  headers_too_large: 431,
  request_timeout: 408,
  unknown_digests: 424,
  request_cancelled: 499,
  internal_error: 500,
  job_poisoned: 500,
  vocabulary_unavailable: 500,
  overloaded: 503,
  storage_unavailable: 503,
  version_mismatch: 503,
  shutting_down: 503,
  deadline_exceeded: 504,
};

const entries: [string, CatalogEntry][] = Object.entries(ERROR_CATALOG);

test('codes and statuses are those agreed', () => {
  expect(Object.fromEntries(entries.map(([code, entry]) => [code, entry.httpStatus]))).toEqual(STATUSES);
});

test.each(entries)('%s is complete and consistent', (code, entry) => {
  expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/);
  expect(entry.title).toMatch(/^[A-Z].*[^.]$/);
  expect(entry.description).toMatch(/^[A-Z].*\.$/);
  if (entry.httpStatus < 500 && entry.httpStatus !== 408) expect(entry.retry).toBe('never');
  expect(entry.retry === 'after').toBe(entry.httpStatus === 503);
  expect(entry.logLevel === 'error').toBe(entry.httpStatus === 500);
});

test('titles tell the codes apart', () => {
  expect(new Set(entries.map(([, entry]) => entry.title)).size).toBe(entries.length);
});

test.each([
  ['overloaded', true],
  ['no_such_code', false],
  ['toString', false],
])('%s is a code: %s', (code, isCode) => {
  expect(isErrorCode(code)).toBe(isCode);
});
