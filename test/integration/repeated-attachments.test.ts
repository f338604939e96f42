import { STRATEGIES } from '@preflight/core';
import type { FORMATS } from '@preflight/formats';
import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

const { url } = await startApi();

const data = Buffer.from('not really an image '.repeat(200)).toString('base64');
const uri = `data:image/png;base64,${data}`;
const other = `data:image/png;base64,${Buffer.from('another '.repeat(9)).toString('base64')}`;

/** Asked about two images, one of which is attached again, under another type or name where the format has such. */
const requests = {
  'openai-chat': {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: other } },
          { type: 'image_url', image_url: { url: uri } },
        ],
      },
      { role: 'assistant', content: 'A dog.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/gif;base64,${data}` } }] },
      { role: 'user', content: 'And?' },
    ],
  },
  langroid: {
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: uri } }] },
      {
        role: 'user',
        content: 'Again.',
        files: [{ filename: 'a.png', mime_type: 'image/png', content_base64: data }],
      },
      { role: 'user', content: 'And?' },
    ],
  },
  'openai-responses': {
    input: [
      { role: 'user', content: [{ type: 'input_image', image_url: uri }] },
      { type: 'function_call', call_id: '1', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: '1',
        output: [
          { type: 'input_image', image_url: other },
          { type: 'input_image', image_url: uri },
        ],
      },
      { role: 'user', content: 'And?' },
    ],
  },
  'anthropic-messages': {
    messages: [
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: '1',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
          },
          { type: 'text', text: 'And this?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
        ],
      },
      { role: 'assistant', content: 'A dog.' },
      { role: 'user', content: 'And?' },
    ],
  },
  'bedrock-converse': {
    messages: [
      { role: 'user', content: [{ text: 'a' }, document('one'), document('two')] },
      { role: 'assistant', content: [{ text: 'A dog.' }] },
      { role: 'user', content: [{ text: 'And?' }] },
    ],
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'What?' }, { inlineData: { mimeType: 'image/png', data } }] },
      { role: 'model', parts: [{ text: 'A dog.' }] },
      { role: 'user', parts: [{ text: 'And?' }, { inline_data: { mime_type: 'image/webp', data } }] },
      { role: 'model', parts: [{ text: 'A dog.' }] },
      { role: 'user', parts: [{ text: 'And?' }] },
    ],
  },
  langchain: {
    messages: [
      { type: 'human', data: { content: [{ type: 'image', mime_type: 'image/png', data }] } },
      { type: 'human', data: { content: [{ type: 'image_url', image_url: { url: uri } }] } },
      { type: 'human', data: { content: 'And?' } },
    ],
  },
  'ai-sdk': {
    messages: [
      { id: '1', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: uri, filename: 'a' }] },
      { id: '2', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: uri }] },
      { id: '3', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
    ],
  },
} satisfies Record<keyof typeof FORMATS, object>;

function document(name: string) {
  return { document: { format: 'pdf', name, source: { bytes: data } } };
}

const call = async (path: string, body: object) => (await post(url, path, body)).body;

const countIn = (text: string, part: string) => text.split(part).length - 1;

test.each(
  Object.entries(requests).flatMap(([format, request]) =>
    ['payload', 'provider'].map((accounting) => ({ format, request, accounting })),
  ),
)('one stays, by $accounting, in $format', async ({ format, request, accounting }) => {
  const options = { encoding: 'o200k_base', format, accounting };
  const given = await call('/v1/count', { ...options, request });
  const once = {
    ...options,
    attachments: 'elide_repeated',
    max_output_tokens: 64,
    return: 'conversation',
    gate: 'point',
  };
  const answer = await call('/v1/preflight', { ...once, request, budget_tokens: given.tokens - 1 });
  expect(answer.outcome).toBe(STRATEGIES.elide_repeated_attachments.outcome);
  expect(answer.tokens.before).toBe(given.tokens);
  const recount = await call('/v1/count', { ...options, request: answer.conversation });
  expect(recount.tokens).toBe(answer.tokens.after);
  const written = JSON.stringify(answer.conversation);
  expect(written).toMatch(
    /\[Attachment left out: \d+ tokens; the same one is attached to (a later|this) message\]/,
  );
  expect(countIn(written, data)).toBe(countIn(JSON.stringify(request), data) - 1);
  expect(countIn(written, other)).toBe(countIn(JSON.stringify(request), other));
  const [row] = answer.attachments.filter((one: { same_as?: object }) => one.same_as);
  expect(answer.messages[row.index]).toMatchObject({ action: 'elided', reason: 'repeated_attachment' });
  const check = await call('/v1/check', { format, request: answer.conversation });
  expect(check.violations).toEqual((await call('/v1/check', { format, request })).violations);
});

test('what fits, and what has no two attachments that are the same, comes back as it was', async () => {
  const [first, ...rest] = requests['openai-chat'].messages;
  const options = { encoding: 'o200k_base', attachments: 'elide_repeated', return: 'conversation' };
  const request = {
    messages: [first, ...rest.filter(({ role }) => role === 'assistant'), ...rest.slice(-1)],
  };
  const roomy = { ...options, budget_tokens: 1_000_000 };
  for (const given of [requests['openai-chat'], request]) {
    const { outcome, conversation, edits } = await call('/v1/preflight', { ...roomy, request: given });
    expect({ outcome, conversation, edits }).toEqual({ outcome: 'fits', conversation: given, edits: [] });
  }
  const single = { ...options, strategy: 'elide_repeated_attachments', budget_tokens: 300, request };
  expect((await call('/v1/preflight', single)).code).toBe('over_budget_without_repeated_attachments');
});

test('few bytes are a reason as well', async () => {
  const request = requests['openai-chat'];
  const bytes = JSON.stringify(request).length;
  const answer = await call('/v1/preflight', {
    encoding: 'o200k_base',
    budget_tokens: 1_000_000,
    max_request_bytes: bytes - 1000,
    strategy: 'elide_repeated_attachments',
    return: 'conversation',
    request,
  });
  expect(answer.outcome).toBe(STRATEGIES.elide_repeated_attachments.outcome);
  expect(answer.bytes.after).toBe(Buffer.byteLength(JSON.stringify(answer.conversation)));
});
