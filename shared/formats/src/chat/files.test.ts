import type { Json, JsonObject } from '@preflight/core';
import { expect, test } from 'vitest';
import { FORMATS, type ReplaceFile } from '../index.js';

const { 'openai-chat': openai, langroid } = FORMATS;
const named: ReplaceFile = (value, { form }) => `${form} of ${value}`;

test.each<[string, Json, Json]>([
  [
    'an image',
    { type: 'image_url', image_url: { url: 'u', detail: 'low' } },
    { type: 'image_url', image_url: { url: 'data_uri of u', detail: 'low' } },
  ],
  [
    'a file',
    { type: 'file', file: { file_data: 'd', filename: 'n' } },
    { type: 'file', file: { file_data: 'data_uri of d', filename: 'n' } },
  ],
  [
    'a sound',
    { type: 'input_audio', input_audio: { data: 'd', format: 'wav' } },
    { type: 'input_audio', input_audio: { data: 'base64 of d', format: 'wav' } },
  ],
])('%s', (_, part, expected) => {
  const request = { model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 't' }, part] }] };
  const given = structuredClone(request);
  expect(openai.replaceFiles(request, named)).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'text', text: 't' }, expected] }],
  });
  expect(request).toEqual(given);
});

test('files beside the content', () => {
  const request = {
    messages: [{ role: 'user', content: 'c', files: [{ content_base64: 'b' }, { url: 'u' }] }],
  };
  expect(langroid.replaceFiles(request, named).messages).toEqual([
    { role: 'user', content: 'c', files: [{ content_base64: 'base64 of b' }, { url: 'u' }] },
  ]);
});

test.each<[string, JsonObject]>([
  ['no files', { messages: [{ role: 'user', content: 'c' }] }],
  [
    'files that do not count',
    { messages: [{ role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'u' } }] }] },
  ],
  ['other shapes', { messages: [null, { role: 'user', content: [1, { image_url: 'u' }], files: {} }] }],
  ['no messages', { messages: 'none' }],
])('a request with %s is answered itself', (_, request) => {
  expect(openai.replaceFiles(request, named)).toBe(request);
});
