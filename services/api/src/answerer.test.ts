import type { CountJob } from '@preflight/contracts';
import { type Json, type JsonObject, PreflightError, TextRange } from '@preflight/core';
import { type Log, Metrics } from '@preflight/runtime';
import { describe, expect, test, vi } from 'vitest';
import { Answerer } from './answerer.js';
import { fakeWork } from './testing/fake-work.js';

function start() {
  const work = fakeWork();
  const warn = vi.fn();
  const answerer = new Answerer({
    work,
    log: { warn } as unknown as Log,
    metrics: new Metrics(),
    maxMessages: 100,
    defaultContextWindowTokens: undefined,
  });
  const context = { instance: '/x', requestId: 'r1', signal: new AbortController().signal };
  return {
    work,
    warn,
    preflight: (body: Json) => answerer.preflight(body, context),
    count: (body: Json) => answerer.count(body, context),
  };
}

const options = { model: 'gpt-4o', context_window: 500, max_output_tokens: 64, buffer_tokens: 0 };
const user = (content: Json) => ({ role: 'user', content });
const withImage = [user([{ type: 'image_url', image_url: { url: 'https://x' } }])];
const long = new TextRange(new SharedArrayBuffer(5000), 0, 5000);

describe('preflight', () => {
  test('of what fits changes nothing', async () => {
    const messages = [{ role: 'system', content: 'abc' }, user('de')];
    const { status, body } = await start().preflight({ ...options, messages });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: 'r1',
      outcome: 'fits',
      applied: [],
      max_output_tokens: 64,
      encoding: 'o200k_base',
      exact: true,
      tokens: { before: 8, after: 8, budget: 436, context_window: 500, request_overhead: 3 },
      limits: {
        window_type: 'shared_sum',
        max_input_tokens: null,
        max_output_tokens: null,
        reasoning_tokens: 0,
        room_left: 492,
        overflow: [],
      },
      cost: expect.objectContaining({ currency: 'USD' }),
      totals: {
        before: { tokens: 8, low: 8, high: 8, basis: 'formula' },
        after: { tokens: 8, low: 8, high: 8, basis: 'formula' },
      },
      messages: [
        { index: 0, role: 'system', content_tokens: 3, tokens_after: 3 },
        { index: 1, role: 'user', content_tokens: 2, tokens_after: 2 },
      ].map((row) => ({ ...row, attachment_tokens: 0, other_tokens: 0, action: 'kept', reason: null })),
      overhead: expect.objectContaining({ basis: 'formula', kinds: { formatting: 3 } }),
      edits: [],
      warnings: [],
      timing: { queue_ms: 0, count_ms: 1.01, fit_ms: 0.13 },
      cache: { hits: 0, misses: 1 },
    });
  });

  test('names what was left out, the same for the same messages, and gives its texts if asked', async () => {
    const [old, other] = ['x'.repeat(300), 'y'.repeat(300)];
    const leftOut = async (messages: JsonObject[], more: JsonObject = {}) => {
      const body = { ...options, strategy: 'drop_turns', summary_tokens: 9, messages, ...more };
      return ((await start().preflight(body)).body as JsonObject).left_out as JsonObject | undefined;
    };
    const dropped = await leftOut([user(old), user(other), user('b')]);
    expect(dropped).toEqual({
      indices: [0],
      tokens: 300,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(await leftOut([user('b')])).toBeUndefined();
    const again = await leftOut([{ role: 'system', content: 'a' }, user(old), user(other), user('b')], {
      left_out_texts: true,
    });
    expect(again).toMatchObject({
      digest: dropped?.digest,
      messages: [{ index: 1, role: 'user', texts: [old] }],
    });
    expect((await leftOut([user(other), user(old), user('b')]))?.digest).not.toBe(dropped?.digest);
  });

  test('counts a summary, and places it in the system message of the result', async () => {
    const given = { messages: [{ role: 'system', content: 'Be kind.' }, user('x'.repeat(600)), user('b')] };
    const content = 'Be kind.\n\n<earlier_conversation>\nWe met.\n- place: Oslo\n</earlier_conversation>';
    const more = {
      strategy: 'drop_turns',
      summary: 'We met.',
      facts: { place: 'Oslo' },
      return: 'conversation',
    };
    const { status, body } = await start().preflight({ ...options, ...more, request: given });
    expect(status).toBe(200);
    const answer = body as JsonObject;
    expect(answer.edits).toEqual([
      { op: 'replace_content', index: 0, content },
      { op: 'drop', index: 1 },
    ]);
    expect(answer.conversation).toEqual({ messages: [{ role: 'system', content }, user('b')] });
    expect((answer.messages as JsonObject[])[0]).toMatchObject({
      content_tokens: content.length,
      tokens_after: content.length,
      action: 'kept',
      reason: 'summary_placed',
    });
  });

  test('refuses a summary where a format has no place for it without a system message', async () => {
    const request = { messages: [user('a')] };
    const refused = start().preflight({ ...options, format: 'langroid', request, summary: 'We met.' });
    await expect(refused).rejects.toMatchObject({
      code: 'unsupported_option',
      issues: [{ pointer: '/summary' }],
    });
  });

  test('with return: conversation gives the request as it came, edited where it must be', async () => {
    const request = { messages: [user('x'.repeat(600)), user('b')], temperature: 0.5 };
    const body = { ...options, request, return: 'conversation' };
    const answer = (await start().preflight(body)).body as JsonObject;
    expect(answer).toMatchObject({ outcome: 'truncated' });
    expect(answer.edits).toMatchObject([{ op: 'replace_content', index: 0 }]);
    expect(answer.messages).toMatchObject([
      { action: 'cut', reason: 'even_share' },
      { action: 'kept', reason: null },
    ]);
    expect(answer.conversation).toMatchObject({ temperature: 0.5, messages: [{ role: 'user' }, user('b')] });
    expect(request.messages[0]?.content).toBe('x'.repeat(600));
  });

  test('that cannot fit is an answer too, with its warnings', async () => {
    const messages = [...withImage, user('x'.repeat(600))];
    const { status, body } = await start().preflight({ ...options, messages });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'ran_out_of_messages',
      request_id: 'r1',
      warnings: [{ code: 'attachment_estimate' }],
    });
  });

  test('tells pointers from where the request stands', async () => {
    const parts = start();
    parts.work.failWith = new PreflightError('invalid_base64', {
      issues: [{ pointer: '/messages/0/files/0', detail: 'x' }],
    });
    for (const [body, pointer] of [
      [{ ...options, messages: [user('a')] }, '/messages/0/files/0'],
      [{ ...options, request: { messages: [user('a')] } }, '/request/messages/0/files/0'],
    ] as [JsonObject, string][])
      await expect(parts.preflight(body)).rejects.toMatchObject({
        code: 'invalid_base64',
        issues: [{ pointer, detail: 'x' }],
      });
  });

  test('passes on what it does not know', async () => {
    const parts = start();
    parts.work.failWith = new Error('bug');
    await expect(parts.preflight({ ...options, messages: [] })).rejects.toBe(parts.work.failWith);
  });
});

describe('count', () => {
  test('of a conversation is a sum with its parts', async () => {
    const messages = [user('abc'), ...withImage];
    const { body } = await start().count({ messages, model: 'gpt-4o', count: 'content' });
    expect(body).toMatchObject({
      tokens: 16,
      exact: true,
      request_overhead: 3,
      messages: [
        { index: 0, content_tokens: 3 },
        { index: 1, attachment_tokens: 10 },
      ],
      warnings: [{ code: 'attachment_estimate' }],
    });
  });

  test('of a text, short or long', async () => {
    const { work, count } = start();
    expect((await count({ text: 'abc', encoding: 'gpt2' })).body).toMatchObject({
      tokens: 3,
      encoding: 'gpt2',
      exact: true,
      warnings: [],
    });
    expect((await count({ text: long })).body).toMatchObject({
      tokens: 5000,
      exact: false,
      warnings: [{ code: 'unknown_model' }],
    });
    expect(work.jobs.at(-1)).toMatchObject({
      conversation: { messages: [{ texts: [long] }] },
      encoding: 'o200k_base',
      count: 'content',
    });
  });

  test('needs no window', async () => {
    expect((await start().count({ messages: [user('a')], model: 'new-1' })).body).toMatchObject({
      exact: false,
      warnings: [{ code: 'unknown_model' }],
    });
  });

  test('of a text and a conversation is refused', async () => {
    const body = { text: 'a', messages: [], request: {}, function_call: 'auto' };
    await expect(start().count(body)).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ pointer: '/request' }, { pointer: '/messages' }, { pointer: '/function_call' }],
    });
  });

  test('of neither is refused', async () => {
    await expect(start().count({})).rejects.toMatchObject({ issues: [{ pointer: '/messages' }] });
  });
});

test('attachments are logged once for each agent, and never what they hold', async () => {
  const { count, preflight, warn } = start();
  const body = { messages: withImage, model: 'gpt-4o' };
  await count({ ...body, agent: 'a' });
  await preflight({ ...body, agent: 'a' });
  await count({ ...body, agent: 'b' });
  await count({ ...body });
  await count({ ...body });
  await count({ messages: [user('text only')], agent: 'c' });
  expect(warn.mock.calls.map(([fields]) => fields.agent)).toEqual(['a', 'b', '']);
  expect(JSON.stringify(warn.mock.calls)).not.toContain('https://x');
});

test('count: request is what is counted unless asked otherwise', async () => {
  const { work, count } = start();
  await count({ messages: [] });
  await count({ messages: [], count: 'content' });
  expect(work.jobs.map((job) => (job as CountJob).count)).toEqual(['request', 'content']);
});
