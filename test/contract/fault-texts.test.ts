import type { ErrorCode } from '@preflight/core';
import { expect, test } from 'vitest';
import { post, send } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { expectProblem, MARKER } from '../harness/problems.js';

const { url } = await startApi({ PREFLIGHT_MAX_MESSAGES: '4', PREFLIGHT_BODY_LIMIT_BYTES: '1048576' });

/** Words of those who wrote the checks, which tell a caller nothing. */
const JARGON =
  /schema|additional propert|required propert|undefined|NaN|\[object|anyOf|must (be|have) (array|object|integer)\b/i;

const user = { role: 'user', content: MARKER };
const files = { accounting: 'provider' };

/** Path of the call, its body, the code, the place that is told, and what the text has to say. */
type Fault = readonly [path: string, body: unknown, code: ErrorCode, pointer: string | null, words: string];

const preflight = (
  options: object,
  pointer: string,
  words: string,
  code: ErrorCode = 'invalid_request',
): Fault => ['/v1/preflight', { model: 'gpt-4o', messages: [user], ...options }, code, pointer, words];
const count = (body: object, pointer: string, words: string, code: ErrorCode = 'invalid_request'): Fault => [
  '/v1/count',
  body,
  code,
  pointer,
  words,
];
const message = (given: unknown, pointer: string, words: string) =>
  preflight({ messages: [given] }, pointer, words);

const FAULTS: readonly Fault[] = [
  // The body.
  [
    '/v1/count',
    [MARKER],
    'invalid_request',
    '',
    'must be an object, not an array; a list of messages stands under',
  ],
  ['/v1/count', MARKER, 'invalid_request', '', 'must be an object, not a string'],
  preflight({ stategy: MARKER }, '/stategy', 'Not an option of this call', 'unknown_option'),

  // Nothing to work on, or too much.
  ['/v1/preflight', {}, 'invalid_request', '/messages', 'There is no conversation'],
  ['/v1/check', {}, 'invalid_request', '/messages', 'There is no conversation'],
  count({}, '/messages', 'There is nothing to count'),
  count({ attachments: [] }, '/attachments', 'There is nothing to count'),
  count(
    { attachments: [{ pointer: '/messages/0', kind: 'pdf' }] },
    '/attachments/0/pointer',
    'nothing to count',
  ),
  count({ text: MARKER, messages: [user] }, '/messages', 'A text is counted alone'),
  count(
    { text: MARKER, attachments: [{ kind: 'pdf' }], ...files },
    '/attachments',
    'A text is counted alone',
  ),
  preflight({ request: { messages: [user] } }, '/messages', 'both flat and under `request`'),
  preflight({ format: 'gemini' }, '/messages', 'A request of the format gemini stands under `request`'),
  [
    '/v1/count',
    { messages: [user, user, user, user, user] },
    'too_many_messages',
    null,
    'has 5 messages; the limit is 4',
  ],

  // Options.
  preflight({ context_window: 0 }, '/context_window', 'must be at least 1, not 0'),
  preflight({ context_window: -1 }, '/context_window', 'must be at least 1, not -1'),
  preflight({ context_window: 1.5 }, '/context_window', 'must be a whole number, not 1.5'),
  preflight({ context_window: MARKER }, '/context_window', 'must be a whole number, not a string'),
  preflight({ max_output_tokens: null }, '/max_output_tokens', 'must be a whole number, not null'),
  preflight({ model: 5 }, '/model', 'must be a string or null, not 5'),
  preflight({ agent: MARKER.repeat(99) }, '/agent', 'must have at most 256 characters'),
  preflight({ encoding: '' }, '/encoding', 'must not be empty'),
  preflight({ encoding: MARKER }, '/encoding', 'known are o200k_base', 'unknown_encoding'),
  preflight({ strategy: [] }, '/strategy', 'must not be empty', 'unsupported_option'),
  preflight(
    { strategy: ['trim', 'trim'] },
    '/strategy',
    'must not name anything twice',
    'unsupported_option',
  ),
  preflight(
    { strategy: ['trim', MARKER] },
    '/strategy/1',
    'must be one of truncate, drop_turns',
    'unsupported_option',
  ),
  preflight({ strategy: 5 }, '/strategy', 'trim_messages or an array, not 5', 'unsupported_option'),
  preflight({ return: MARKER }, '/return', 'must be one of edits, conversation', 'unsupported_option'),
  preflight({ pins: [7] }, '/pins/0', 'names a message that is not there: there are 1'),
  preflight({ truncate: { [MARKER.slice(0, 4)]: 1 } }, '/truncate/xylo', 'is not known; known are max_min'),
  preflight({ truncate: { weights: [{ index: 0 }] } }, '/truncate/weights/0/weight', 'is missing'),
  preflight(
    { truncate: { weights: [{ index: 0, weight: 0 }] } },
    '/truncate/weights/0/weight',
    'must be more than 0, not 0',
  ),
  preflight({ trim: {} }, '/trim', 'goes with the strategy `trim` only'),
  preflight({ strategy: 'trim_messages' }, '/trim_messages', 'are required with the strategy'),
  preflight(
    { strategy: 'trim_messages', trim_messages: { token_counter: 'len' } },
    '/trim_messages/max_tokens',
    'is missing',
  ),
  preflight(
    { strategy: 'trim_messages', trim_messages: { max_tokens: 1, token_counter: 'len', strategy: MARKER } },
    '/trim_messages/strategy',
    '`first` or `last`',
    'unknown_strategy',
  ),
  preflight(
    { format: 'langroid', summary: MARKER },
    '/summary',
    'needs a system message',
    'unsupported_option',
  ),
  [
    '/v1/preflight',
    { messages: [user] },
    'context_window_required',
    '/context_window',
    'give context_window or budget',
  ],
  [
    '/v1/check',
    { messages: [user], repair: 1 },
    'invalid_request',
    '/repair',
    'must be true or false, not 1',
  ],

  // Messages.
  message(MARKER, '/messages/0', 'must be an object'),
  message({ content: MARKER }, '/messages/0/role', 'must be a short string'),
  message({ role: 'user', content: 5 }, '/messages/0/content', 'must be a string, null or an array'),
  message({ role: 'user', content: [{ type: 'text' }] }, '/messages/0/content/0/text', 'must be a string'),
  [
    '/v1/count',
    { request: { contents: MARKER } },
    'invalid_request',
    '/request/contents',
    '/request/contents must be an array of contents',
  ],

  // Attachments.
  count({ ...files, attachments: [{}] }, '/attachments/0/kind', 'is needed where there are no facts'),
  count({ ...files, attachments: [{ width: 3 }] }, '/attachments/0/height', 'is needed beside width'),
  count(
    { ...files, attachments: [{ kind: 'image', pages: 3 }] },
    '/attachments/0/pages',
    'is no fact of kind image',
  ),
  count(
    { attachments: [{ kind: 'pdf', pages: 3 }], accounting: 'payload' },
    '/accounting',
    'count with accounting "provider" only',
  ),
  preflight(
    { attachments: [{ pointer: '/x', kind: 'pdf' }] },
    '/attachments/0/pointer',
    'of an attachment that is not there',
  ),
  [
    '/v1/count',
    { format: 'langroid', request: { messages: [{ ...user, files: [{ content_base64: '!' }] }] } },
    'invalid_base64',
    '/request/messages/0/files/0',
    'base64',
  ],
  ['/v1/calibrations', { model: MARKER }, 'invalid_request', '/actual_input_tokens', 'is missing'],
];

test.each(FAULTS)('%s %j: %s at %j, "%s"', async (path, body, code, pointer, words) => {
  const answer = await post(url, path, body as object);
  expectProblem(answer, 400, code);
  const { detail, errors } = answer.body;
  expect(errors?.[0]?.pointer ?? null).toBe(pointer);
  expect(detail).toContain(words);
  for (const text of [detail, ...(errors ?? []).map((each: { detail: string }) => each.detail)])
    expect(text).not.toMatch(JARGON);
});

test.each([
  ['invalid_json', 400, '', 'The body is empty.'],
  ['invalid_json', 400, '{"a":', 'at byte 5'],
  ['body_too_deep', 400, '['.repeat(1000), 'has more levels than the 128'],
  [
    'object_too_large',
    400,
    `{"a":{${Array.from({ length: 10_001 }, (_, i) => `"${i}":0`)}}}`,
    'more members than the 10000',
  ],
  ['body_too_large', 413, `"${'x'.repeat(1_048_576)}"`, 'the limit is 1048576'],
] as const)('%s, %i: the figures', async (code, status, body, words) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await send(url, { path: '/v1/count', headers, body });
  expectProblem(answer, status, code);
  expect(answer.body.detail).toContain(words);
});

test('what cannot fit: tokens and bytes, each with its figures', async () => {
  const { body: tokens } = await post(url, '/v1/preflight', {
    model: 'gpt-4o',
    messages: [user],
    budget_tokens: 1,
  });
  expect(tokens.detail).toMatch(/The history has \d+ tokens left, \d+ more than its budget of 1\./);
  const strategies = ['truncate', 'drop_turns', 'trim', 'elide_tool_results', 'elide_attachments'];
  for (const strategy of strategies) {
    const few = { model: 'gpt-4o', messages: [user], max_request_bytes: 9, strategy };
    const { status, body } = await post(url, '/v1/preflight', few);
    const size = Buffer.byteLength(JSON.stringify({ model: few.model, messages: [user] }));
    expect([strategy, status]).toEqual([strategy, 422]);
    expect(body.detail).toContain(`has ${size} bytes left as JSON, ${size - 9} more than`);
    expect(body.detail).not.toMatch(/tokens|output|over its budget/);
  }
});
