import { ERROR_CATALOG, type ErrorCode, PreflightError } from '@preflight/core';
import { expect, test } from 'vitest';
import { ndjson, postBatch } from '../harness/batches.js';
import { get, type HttpAnswer, post, send } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { expectProblem, MARKER } from '../harness/problems.js';
import { headOfPost, RawConnection } from '../harness/raw-connection.js';
import { waitFor } from '../harness/wait-for.js';
import { whileHeld } from '../harness/while-held.js';
import { largeText, SLOW, startCounting } from '../lifecycle/large-work.js';

const api = await startApi();
const narrow = await startApi({
  PREFLIGHT_BODY_LIMIT_BYTES: '1048576',
  PREFLIGHT_QUEUE_LIMIT_BYTES: '1048576',
  PREFLIGHT_MAX_MESSAGES: '2',
});
const impatient = await startApi({ PREFLIGHT_DEADLINE_MS: '3000' });
const stopping = await startApi();
/** With an engine that takes seconds for what the kernel does before any deadline. */
const hasty = await startApi({ ...SLOW, PREFLIGHT_DEADLINE_MS: '100' });
const slow = await startApi({ ...SLOW, PREFLIGHT_THREADS: '1' });
const failing = () => Promise.reject(new Error(`secret ${MARKER}`));
const forgetful = await startApi({ PREFLIGHT_RESULT_LIFETIME_MS: '1000' });
const broken = await startApi({}, { work: { preflight: failing, count: failing, trim: failing } });
/** Whose work ends in an error that only comes with a queue. */
const failingWith = (code: ErrorCode) => {
  const fail = () => Promise.reject(new PreflightError(code, { internalDetail: MARKER }));
  return startApi({}, { work: { preflight: fail, count: fail, trim: fail } });
};
const cutOff = await failingWith('storage_unavailable');
const poisoned = await failingWith('job_poisoned');
const wordless = await failingWith('vocabulary_unavailable');
const mismatched = await failingWith('version_mismatch');

const asyncWith = (more: Record<string, string>) => ({ headers: { prefer: 'respond-async', ...more } });
const headers = { 'content-type': 'application/json' };
const user = { role: 'user', content: 'hello' };
const withImage = {
  role: 'user',
  content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'QUJD'.repeat(900)}` } }],
};
const encoded = { encoding: 'o200k_base' };
const raw = (body: string | Uint8Array) => send(api.url, { path: '/v1/count', headers, body });
const preflight = (payload: object) =>
  post(api.url, '/v1/preflight', { ...encoded, messages: [user], ...payload });

const trim = (options: object) =>
  post(api.url, '/v1/preflight', {
    messages: [user],
    strategy: 'trim_messages',
    trim_messages: { max_tokens: 9, token_counter: 'len', ...options },
  });

/** What is answered to bytes that are no whole request. */
async function spoken(url: string, bytes: string): Promise<HttpAnswer> {
  const connection = await RawConnection.to(url);
  connection.send(bytes);
  return connection.answer();
}

const DIGEST = '0'.repeat(64);
const putBlob = (digest: string) =>
  send(api.url, { method: 'PUT', path: `/v1/blobs/${digest}`, body: 'bytes' });

const byDigest = { digest: `sha256:${DIGEST}`, bytes: 1, mime_type: 'image/png' };

const trimmed = (options: object) => preflight({ strategy: 'trim', ...options });

const provoked: Partial<Record<ErrorCode, () => Promise<HttpAnswer>>> = {
  unknown_digests: () =>
    preflight({
      context_window: 1000,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: byDigest } }] }],
    }),
  malformed_digest: () => putBlob(DIGEST.slice(1)),
  digest_mismatch: () => putBlob(DIGEST),
  results_not_read: async () => {
    // Each result is as long as its line. Lines are small enough to be answered in time on the busiest machine.
    const content = 'word '.repeat(50_000);
    const line = { ...encoded, context_window: 10_000_000, return: 'conversation' };
    const lines = Array.from({ length: 240 }, () => ({ ...line, messages: [{ role: 'user', content }] }));
    return postBatch(impatient.url, '', ndjson(lines));
  },
  ran_out_of_messages: () => preflight({ context_window: 1 }),
  output_below_min_after_truncate: () =>
    preflight({
      context_window: 1100,
      max_output_tokens: 64,
      min_output_tokens: 65,
      messages: [user, { role: 'user', content: 'word '.repeat(1100) }, user],
    }),
  output_below_min_after_drop: () => preflight({ context_window: 1, strategy: 'drop_turns' }),
  start_on_with_first: () => trim({ strategy: 'first', start_on: 'user', include_system: true }),
  include_system_with_first: () => trim({ strategy: 'first', include_system: true }),
  unknown_strategy: () => trim({ strategy: 'middle' }),
  system_over_budget: () =>
    trimmed({ budget_tokens: 1, messages: [{ role: 'system', content: 'Be brief.' }, user] }),
  newest_over_budget: () => trimmed({ budget_tokens: 5, messages: [user] }),
  output_below_min_after_trim: () =>
    trimmed({
      context_window: 1100,
      max_output_tokens: 64,
      min_output_tokens: 65,
      messages: [user, { role: 'user', content: 'word '.repeat(1100) }, user],
    }),
  no_start_match: () =>
    trimmed({ budget_tokens: 99, messages: [user], trim: { start_on: 'tool', pin_newest_user: false } }),
  no_end_match: () => trimmed({ budget_tokens: 99, messages: [user], trim: { end_on: 'tool' } }),
  malformed_tool_history: () =>
    trimmed({ budget_tokens: 99, messages: [user, { role: 'tool', tool_call_id: 'x', content: 'y' }] }),
  over_budget_without_attachments: () => preflight({ budget_tokens: 5, strategy: 'elide_attachments' }),
  output_below_min_without_attachments: () =>
    preflight({
      context_window: 1100,
      max_output_tokens: 64,
      min_output_tokens: 65,
      strategy: 'elide_attachments',
      messages: [withImage, user],
    }),
  over_budget_without_repeated_attachments: () =>
    preflight({ budget_tokens: 5, strategy: 'elide_repeated_attachments' }),
  output_below_min_without_repeated_attachments: () =>
    preflight({
      context_window: 2600,
      max_output_tokens: 64,
      min_output_tokens: 65,
      strategy: 'elide_repeated_attachments',
      messages: [withImage, withImage, user],
    }),
  over_budget_after_eliding: () => preflight({ budget_tokens: 5, strategy: 'elide_tool_results' }),
  output_below_min_after_eliding: () =>
    preflight({
      context_window: 1100,
      max_output_tokens: 64,
      min_output_tokens: 65,
      strategy: 'elide_tool_results',
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'x', content: 'word '.repeat(1100) },
        user,
      ],
    }),
  invalid_json: () => raw('{'),
  invalid_utf8: () => raw(Buffer.from([0x22, 0xff, 0x22])),
  body_too_deep: () => raw('['.repeat(1000)),
  body_too_many_values: () => raw(`[${'0,'.repeat(1_000_000)}0]`),
  object_too_large: () =>
    raw(JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [i, 0])))),
  key_too_long: () => raw(`{"${'k'.repeat(65_537)}":0}`),
  invalid_request: () => raw('[]'),
  unknown_option: () => preflight({ windw: 1 }),
  unsupported_option: () => preflight({ strategy: 'guess' }),
  unknown_encoding: () => preflight({ encoding: 'o300k' }),
  context_window_required: () => preflight({}),
  invalid_base64: () =>
    preflight({
      context_window: 9999,
      format: 'langroid',
      messages: [{ ...user, files: [{ content_base64: '!' }] }],
    }),
  too_many_messages: () => post(narrow.url, '/v1/count', { ...encoded, messages: [user, user, user] }),
  not_found: () => get(api.url, '/nowhere'),
  model_not_found: () => get(api.url, '/v1/models/gpt4o'),
  method_not_allowed: () => get(api.url, '/v1/count'),
  idempotency_key_reused: async () => {
    const key = { headers: { 'idempotency-key': 'one' } };
    await post(api.url, '/v1/count', { ...encoded, text: 'a' }, key);
    return post(api.url, '/v1/count', { ...encoded, text: 'b' }, key);
  },
  job_cancelled: async () => {
    const key = { headers: { 'idempotency-key': 'two' } };
    const waiting = post(slow.url, '/v1/count', { ...encoded, text: largeText(3) }, key);
    const { body } = await post(
      slow.url,
      '/v1/count',
      { ...encoded, text: largeText(3) },
      asyncWith(key.headers),
    );
    await send(slow.url, { method: 'DELETE', path: `/v1/jobs/${body.id}` });
    return waiting;
  },
  job_expired: async () => {
    const { body } = await post(forgetful.url, '/v1/count', { ...encoded, text: 'a' }, asyncWith({}));
    return waitFor(async () => {
      const answer = await get(forgetful.url, `/v1/jobs/${body.id}`);
      return answer.status !== 200 && answer;
    });
  },
  body_too_large: () =>
    send(narrow.url, {
      path: '/v1/count',
      headers: { ...headers, 'content-length': '1048577' },
      isEndless: true,
    }),
  unsupported_media_type: () =>
    send(api.url, { path: '/v1/count', body: 'a', headers: { 'content-type': 'text/plain' } }),
  malformed_http: () => spoken(api.url, 'no HTTP\r\n\r\n'),
  headers_too_large: () => spoken(api.url, `GET /${'x'.repeat(20_000)}`),
  request_timeout: () => spoken(hasty.url, headOfPost('/v1/count', { 'content-length': 10 })),
  internal_error: () => post(broken.url, '/v1/count', { ...encoded, text: 'a' }),
  job_poisoned: () => post(poisoned.url, '/v1/count', { ...encoded, text: 'a' }),
  version_mismatch: () => post(mismatched.url, '/v1/count', { ...encoded, text: 'a' }),
  vocabulary_unavailable: () => post(wordless.url, '/v1/count', { ...encoded, text: 'a' }),
  storage_unavailable: () => post(cutOff.url, '/v1/count', { ...encoded, text: 'a' }),
  overloaded: () =>
    whileHeld(narrow.url, () =>
      waitFor(async () => {
        const answer = await post(narrow.url, '/v1/count', { ...encoded, text: 'a b c d '.repeat(50_000) });
        return answer.status !== 200 && answer;
      }),
    ),
  deadline_exceeded: () => post(hasty.url, '/v1/count', { ...encoded, text: largeText(1) }),
  shutting_down: () =>
    whileHeld(stopping.url, async () => {
      await post(stopping.url, '/v1/count', { ...encoded, text: 'a' });
      void stopping.stop();
      return post(stopping.url, '/v1/count', { ...encoded, text: 'a' });
    }),
};

const notAnswered: Partial<Record<ErrorCode, string>> = {
  unknown_format: 'formats are an enumeration of the schema, so that others are unsupported_option',
  too_many_tokens: "it is written in a vendor's shape; test/vendor-counts provokes it",
  request_cancelled: 'nobody is there to get the answer; the log has it',
};

test('every code of the catalog is provoked here, or it is said why not', () => {
  expect([...Object.keys(provoked), ...Object.keys(notAnswered)].sort()).toEqual(
    Object.keys(ERROR_CATALOG).sort(),
  );
});

test.each(Object.entries(provoked))('%s', async (code, provoke) => {
  const { httpStatus, retry } = ERROR_CATALOG[code as ErrorCode];
  const answer = await provoke();
  expectProblem(answer, httpStatus, code as ErrorCode);
  expect(answer.headers['retry-after'] !== undefined).toBe(retry === 'after');
});

test('a bug is told to the log alone', () => {
  expect(broken.lines.join('\n')).toContain(MARKER);
});

test('a caller that leaves is noted in the log', async () => {
  const from = slow.lines.length;
  const leaving = new AbortController();
  // The pool may be busy with what an earlier test left behind, while the body is still on its way.
  let isSent = false;
  const onSent = () => {
    isSent = true;
  };
  const { answer } = startCounting(slow.url, largeText(2), { signal: leaving.signal, onSent });
  await waitFor(() => isSent, { what: 'a request that is sent' });
  await waitFor(() => slow.pool.figures().runningTasks > 0, { what: 'a busy pool' });
  leaving.abort();
  await expect(answer).rejects.toThrow();
  const isNote = (line: string) => /"code":"request_cancelled".*"request refused"/.test(line);
  await waitFor(() => slow.lines.slice(from).some(isNote), {
    state: () => slow.lines.slice(from).join('\n'),
  });
});
