import { expect, test } from 'vitest';
import { putBlob, referenceTo } from '../harness/blobs.js';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { seededBytes } from '../harness/seeded-texts.js';

const { url } = await startApi();

const TYPE = 'image/png';
const bytes = seededBytes(2000);
await putBlob(url, bytes);
const base64 = referenceTo(bytes);
const dataUri = referenceTo(bytes, TYPE);

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const kwargs = { content: [{ type: 'image', mimeType: TYPE, data: base64 }] };

/** A request with an image by its digest, and where that stands. */
const CASES: [format: string, request: object, pointer: string][] = [
  ['openai-chat', user([{ type: 'image_url', image_url: { url: dataUri } }]), '/messages/0/content/0'],
  [
    'openai-responses',
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: dataUri }] }] },
    '/input/0/content/0',
  ],
  [
    'openai-responses',
    {
      input: [
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: dataUri }] },
      ],
    },
    '/input/1/output/0',
  ],
  [
    'openai-responses',
    {
      input: [
        { type: 'computer_call', call_id: 'c', action: {} },
        {
          type: 'computer_call_output',
          call_id: 'c',
          output: { type: 'computer_screenshot', image_url: dataUri },
        },
      ],
    },
    '/input/1/output',
  ],
  ['openai-responses', { input: [{ type: 'image_generation_call', id: 'i', result: base64 }] }, '/input/0'],
  [
    'anthropic-messages',
    user([{ type: 'image', source: { type: 'base64', media_type: TYPE, data: base64 } }]),
    '/messages/0/content/0',
  ],
  [
    'anthropic-messages',
    {
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't',
              content: [{ type: 'image', source: { type: 'base64', media_type: TYPE, data: base64 } }],
            },
          ],
        },
      ],
    },
    '/messages/2/content/0/content/0',
  ],
  [
    'bedrock-converse',
    user([{ image: { format: 'png', source: { bytes: base64 } } }]),
    '/messages/0/content/0',
  ],
  [
    'gemini',
    { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: TYPE, data: base64 } }] }] },
    '/contents/0/parts/0',
  ],
  [
    'gemini',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Look.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 'f',
                response: {},
                parts: [{ inline_data: { mime_type: TYPE, data: base64 } }],
              },
            },
          ],
        },
      ],
    },
    '/contents/2/parts/0/functionResponse/parts/0',
  ],
  ['ai-sdk', user([{ type: 'image', image: base64, mediaType: TYPE }]), '/messages/0/content/0'],
  ['ai-sdk', user([{ type: 'file', data: base64, mediaType: TYPE }]), '/messages/0/content/0'],
  [
    'ai-sdk',
    { messages: [{ id: 'm', role: 'user', parts: [{ type: 'file', mediaType: TYPE, url: dataUri }] }] },
    '/messages/0/parts/0',
  ],
  ['langchain', user(kwargs.content), '/messages/0/content/0'],
  ['langchain', { messages: [{ type: 'human', data: kwargs }] }, '/messages/0/data/content/0'],
  [
    'langchain',
    {
      messages: [{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'HumanMessage'], kwargs }],
    },
    '/messages/0/kwargs/content/0',
  ],
  [
    'langroid',
    { messages: [{ role: 'user', content: 'a', files: [{ content_base64: base64, mime_type: TYPE }] }] },
    '/messages/0/files/0',
  ],
];

test.each(CASES)(
  '%s: facts are stated of a file that came apart: %j at %s',
  async (format, request, pointer) => {
    const body = { format, model: 'gpt-4o', accounting: 'provider', request };
    for (const prefix of ['', '/request']) {
      const attachments = [{ pointer: `${prefix}${pointer}`, width: 1024, height: 1024 }];
      const stated = await post(url, '/v1/count', { ...body, attachments });
      expect(stated.body.attachments, stated.text).toMatchObject([
        { tokens: 765, provider: { basis: 'formula' } },
      ]);
    }
    const nowhere = [{ pointer: `${pointer}/none`, width: 1024, height: 1024 }];
    expect((await post(url, '/v1/count', { ...body, attachments: nowhere })).status).toBe(400);
  },
);
