import { randomBytes } from 'node:crypto';
import { PreflightClient } from '@preflight/client';
import { expect, test } from 'vitest';
import { putBlob, referenceTo, sha256 } from '../harness/blobs.js';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

const { url } = await startApi();

/** A request with a file in it, however that is written there: as base64, as a data URI, or by its digest. */
type RequestWith = (file: unknown) => Record<string, unknown>;

const TYPE = 'image/png';
const items = (part: object): Record<string, unknown> => ({
  input: [
    { role: 'user', content: [{ type: 'input_text', text: 'Look.' }, part] },
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: [part] },
  ],
});
const contents = (part: object): Record<string, unknown> => ({
  contents: [
    { role: 'user', parts: [{ text: 'Look.' }, part] },
    { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'f', response: {}, parts: [part] } }] },
  ],
});

const CASES: [format: string, place: string, isDataUri: boolean, requestWith: RequestWith][] = [
  ['openai-responses', 'an image', true, (image_url) => items({ type: 'input_image', image_url })],
  [
    'openai-responses',
    'a file',
    true,
    (file_data) => items({ type: 'input_file', filename: 'a.png', file_data }),
  ],
  [
    'openai-responses',
    'a screenshot',
    true,
    (image_url) => ({
      input: [
        { type: 'computer_call', call_id: 'c1', action: {} },
        { type: 'computer_call_output', call_id: 'c1', output: { type: 'computer_screenshot', image_url } },
      ],
    }),
  ],
  [
    'openai-responses',
    'an image that was made',
    false,
    (result) => ({ input: [{ type: 'image_generation_call', id: 'i', result }] }),
  ],
  ['gemini', 'inlineData', false, (data) => contents({ inlineData: { mimeType: TYPE, data } })],
  ['gemini', 'inline_data', false, (data) => contents({ inline_data: { mime_type: TYPE, data } })],
];

test.each(CASES)(
  '%s, %s: a file by its digest counts what its base64 counts, also through the client',
  async (format, _, isDataUri, requestWith) => {
    const bytes = randomBytes(20_000);
    const base64 = bytes.toString('base64');
    const inline = requestWith(isDataUri ? `data:${TYPE};base64,${base64}` : base64);
    const given = structuredClone(inline);
    const count = (request: object) => post(url, '/v1/count', { format, model: 'gpt-4o', request });
    const expected = await count(inline);
    const byDigest = requestWith(referenceTo(bytes, isDataUri ? TYPE : undefined));
    const other = randomBytes(20_000);
    const unknown = await count(requestWith(referenceTo(other, TYPE)));
    expect([unknown.status, unknown.body.missing]).toEqual([424, [`sha256:${sha256(other)}`]]);
    await putBlob(url, bytes);
    const counted = await count(byDigest);
    expect(counted.status, counted.text).toBe(200);
    expect(counted.body.tokens).toBe(expected.body.tokens);
    expect(counted.body.messages).toEqual(expected.body.messages);

    const client = new PreflightClient({ baseUrl: url });
    const body = { format: format as 'gemini', model: 'gpt-4o', request: inline };
    expect((await client.count(body)).tokens).toBe(expected.body.tokens);
    const { request } = await client.preflight(body);
    expect(request).toEqual(given);
  },
);
