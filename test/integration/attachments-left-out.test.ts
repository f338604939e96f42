import { STRATEGIES } from '@preflight/core';
import type { FORMATS } from '@preflight/formats';
import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

const { url } = await startApi();

const data = Buffer.from('not really an image '.repeat(200)).toString('base64');
const uri = `data:image/png;base64,${data}`;

/** What was asked about an image, answered, and asked again, as each format writes it. */
const requests = {
  'openai-chat': {
    messages: [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: uri } }] },
      { role: 'user', content: 'And?' },
    ],
  },
  langroid: {
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: uri } }] },
      { role: 'user', content: 'And?' },
    ],
  },
  'openai-responses': {
    input: [
      { role: 'user', content: [{ type: 'input_image', image_url: uri }] },
      { type: 'function_call', call_id: '1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: '1', output: [{ type: 'input_image', image_url: uri }] },
      { role: 'user', content: 'And?' },
    ],
  },
  'anthropic-messages': {
    messages: [
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
      },
      { role: 'assistant', content: 'A dog.' },
      { role: 'user', content: 'And?' },
    ],
  },
  'bedrock-converse': {
    messages: [
      { role: 'user', content: [{ image: { format: 'png', source: { bytes: data } } }] },
      { role: 'assistant', content: [{ text: 'A dog.' }] },
      { role: 'user', content: [{ text: 'And?' }] },
    ],
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'What?' }, { inlineData: { mimeType: 'image/png', data } }] },
      { role: 'model', parts: [{ text: 'A dog.' }] },
      { role: 'user', parts: [{ text: 'And?' }] },
    ],
  },
  langchain: {
    messages: [
      { type: 'human', data: { content: [{ type: 'image', mime_type: 'image/png', data }] } },
      { type: 'human', data: { content: 'And?' } },
    ],
  },
  'ai-sdk': {
    messages: [
      { id: '1', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: uri }] },
      { id: '2', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
    ],
  },
} satisfies Record<keyof typeof FORMATS, object>;

const call = async (path: string, body: object) => (await post(url, path, body)).body;

test.each(Object.entries(requests))('a note tells what was there, in %s', async (format, request) => {
  const options = { encoding: 'o200k_base', format };
  const given = await call('/v1/count', { ...options, request });
  const body = {
    ...options,
    request,
    attachments: 'elide_oldest',
    budget_tokens: 300,
    return: 'conversation',
  };
  const answer = await call('/v1/preflight', { ...body, max_output_tokens: 64 });
  expect(answer.outcome).toBe(STRATEGIES.elide_attachments.outcome);
  expect(answer.tokens.before).toBe(given.tokens);
  expect(answer.tokens.after).toBeLessThan(300);
  const recount = await call('/v1/count', { ...options, request: answer.conversation });
  expect(recount.tokens).toBe(answer.tokens.after);
  expect(JSON.stringify(answer.conversation)).toMatch(/\[Attachments left out: \d+ tokens\]/);
  expect(JSON.stringify(answer.conversation)).not.toContain(data);
  const check = await call('/v1/check', { format, request: answer.conversation });
  expect(check.violations).toEqual((await call('/v1/check', { format, request })).violations);
});

test.each([
  [
    'a screenshot',
    'openai-responses',
    {
      input: [
        { type: 'computer_call', call_id: '1', action: { type: 'screenshot' } },
        {
          type: 'computer_call_output',
          call_id: '1',
          output: { type: 'computer_screenshot', image_url: uri },
        },
        { role: 'user', content: 'And?' },
      ],
    },
  ],
  [
    'files of a function',
    'gemini',
    {
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'look' } }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 'look',
                response: {},
                parts: [{ inlineData: { mimeType: 'image/png', data } }],
              },
            },
          ],
        },
        { role: 'user', parts: [{ text: 'And?' }] },
      ],
    },
  ],
  [
    'files beside the content',
    'langroid',
    {
      messages: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: 'What?',
          files: [{ filename: 'a.png', mime_type: 'image/png', content_base64: data }],
        },
        { role: 'user', content: 'And?' },
      ],
    },
  ],
])('%s stay where no text may stand', async (_, format, request) => {
  const options = { encoding: 'o200k_base', format, request, strategy: 'elide_attachments' };
  const answer = await call('/v1/preflight', { ...options, budget_tokens: 300 });
  expect(answer.code).toBe('over_budget_without_attachments');
});
