import {
  checkResponse,
  countResponse,
  encodingsResponse,
  healthResponse,
  modelsResponse,
  preflightResponse,
  problem,
} from '@preflight/contracts';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { get, post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

const { url } = await startApi();

const expectValid = (schema: TSchema, body: unknown) => expect([...Value.Errors(schema, body)]).toEqual([]);

const long = 'A sentence to be cut. '.repeat(200);
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } };
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }];
const talk = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: long }, image] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: '1', content: long },
  { role: 'user', content: 'And?' },
];
const small = { context_window: 1200, min_output_tokens: 64 };

const fits: [outcome: string, payload: object][] = [
  ['fits', { model: 'gpt-4o', messages: talk }],
  ['fits', { model: 'gpt-4o', messages: talk, return: 'conversation', tools }],
  ['fits', { model: 'unheard-of', context_window: 1_000_000, messages: talk }],
  ['fits', { encoding: 'gpt2', budget_tokens: 100_000, messages: [] }],
  ['fits', { request: { model: 'gpt-4.1-mini', messages: talk, temperature: 1 }, return: 'conversation' }],
  ['output_reduced', { model: 'gpt-4', messages: talk, max_output_tokens: 8000 }],
  ['truncated', { encoding: 'o200k_base', messages: talk, ...small }],
  [
    'truncated',
    { encoding: 'o200k_base', messages: talk, ...small, return: 'conversation', format: 'langroid' },
  ],
  ['truncated', { encoding: 'o200k_base', messages: talk, budget_tokens: 700 }],
  [
    'turns_dropped',
    { encoding: 'o200k_base', messages: talk, ...small, strategy: 'drop_turns', count: 'content' },
  ],
];

describe('/v1/preflight', () => {
  test.each(fits)('an answer with outcome %s (%#) is as the schema says', async (outcome, payload) => {
    const { status, headers, body, text } = await post(url, '/v1/preflight', payload);
    expect([status, body.outcome], text).toEqual([200, outcome]);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expectValid(preflightResponse, body);
  });

  test.each(['truncate', 'drop_turns'])('a refusal of %s is as the schema says', async (strategy) => {
    const answer = await post(url, '/v1/preflight', {
      encoding: 'o200k_base',
      messages: talk,
      context_window: 5,
      strategy,
    });
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expectValid(problem, answer.body);
    for (const name of ['figures', 'unshrinkable', 'hints', 'warnings'])
      expect(answer.body).toHaveProperty(name);
  });
});

describe('/v1/check', () => {
  const orphan = { role: 'tool', tool_call_id: 'x', content: 'r' };

  test.each([
    ['legal', true, { messages: talk }],
    ['illegal', false, { messages: [orphan] }],
    ['repaired', false, { messages: [...talk, orphan], repair: true }],
    ['repaired, in whole', false, { request: { messages: [orphan] }, repair: true, return: 'conversation' }],
    ['unreadable', false, { messages: [7] }],
  ])('an answer to a request that is %s is as the schema says', async (_, legal, payload) => {
    const { status, body, text } = await post(url, '/v1/check', payload);
    expect([status, body.legal], text).toEqual([200, legal]);
    expectValid(checkResponse, body);
  });

  test('places are those of the body, and of the provider’s request in what was repaired', async () => {
    const request = { messages: [talk[0], orphan] };
    const { body } = await post(url, '/v1/check', { request, repair: true, return: 'conversation' });
    expect(body.violations.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/request/messages/1',
    ]);
    expect(body.repaired.edits).toEqual([{ op: 'drop', index: 1 }]);
    expect(body.repaired.conversation).toEqual({ messages: [talk[0]] });
    const { body: flat } = await post(url, '/v1/check', request);
    expect(flat.violations[0].pointer).toBe('/messages/1');
  });

  test('bytes are those of the request, and many places are counted rather than listed', async () => {
    const request = { messages: Array.from({ length: 150 }, () => orphan) };
    const { body } = await post(url, '/v1/check', { request });
    expect(body.bytes).toBe(JSON.stringify(request).length);
    expect([body.violations.length, body.violation_count]).toEqual([100, 150]);
  });

  test('options of counting are none of its own', async () => {
    const answer = await post(url, '/v1/check', { messages: [], context_window: 1 });
    expect([answer.status, answer.body.code]).toEqual([400, 'unknown_option']);
    expectValid(problem, answer.body);
  });
});

describe('/v1/count', () => {
  test.each([
    { model: 'gpt-4o', messages: talk },
    { model: 'gpt-4o', messages: talk, tools, tool_choice: 'none' },
    { messages: [], count: 'content' },
    { request: { messages: talk }, encoding: 'cl100k_base' },
    { text: '', encoding: 'o200k_base' },
    { text: long, model: 'gpt-4' },
    { text: long.repeat(10) },
  ])('answer %# is as the schema says', async (payload) => {
    const { status, body, text } = await post(url, '/v1/count', payload);
    expect(status, text).toBe(200);
    expectValid(countResponse, body);
  });
});

test.each([
  ['/v1/encodings', encodingsResponse],
  ['/v1/models', modelsResponse],
  ['/health/live', healthResponse],
  ['/health/ready', healthResponse],
])('%s is as the schema says', async (path, schema) => {
  const { status, body } = await get(url, path);
  expect(status).toBe(200);
  expectValid(schema, body);
});
