import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { headBlob, putBlob, referenceTo, sha256 } from '../harness/blobs.js';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { post } from '../harness/http.js';
import { waitFor } from '../harness/wait-for.js';

const model = 'gpt-4o';
const text = (words: string) => ({ type: 'text', text: words });
const dataUri = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`;

/** A user message with a file in it, once as base64 and once by its digest. */
interface Case {
  readonly name: string;
  readonly format: 'openai-chat' | 'langroid';
  inline(bytes: Buffer): object;
  byDigest(bytes: Buffer): object;
}

const openai = (name: string, part: (bytes: Buffer, isInline: boolean) => object): Case => {
  const message = (bytes: Buffer, isInline: boolean) => ({
    role: 'user',
    content: [text('Look at this: '), part(bytes, isInline)],
  });
  return {
    name,
    format: 'openai-chat',
    inline: (bytes) => message(bytes, true),
    byDigest: (bytes) => message(bytes, false),
  };
};

const langroid = (name: string, file: object): Case => {
  const message = (content_base64: unknown) => ({
    role: 'user',
    content: 'Look',
    files: [{ ...file, content_base64 }],
  });
  return {
    name,
    format: 'langroid',
    inline: (bytes) => message(bytes.toString('base64')),
    byDigest: (bytes) => message(referenceTo(bytes)),
  };
};

const CASES: readonly Case[] = [
  openai('an image', (bytes, isInline) => ({
    type: 'image_url',
    image_url: {
      url: isInline ? dataUri(bytes, 'image/png') : referenceTo(bytes, 'image/png'),
      detail: 'low',
    },
  })),
  openai('a file', (bytes, isInline) => ({
    type: 'file',
    file: {
      filename: 'ünder "quotes".pdf',
      file_data: isInline ? dataUri(bytes, 'application/pdf') : referenceTo(bytes, 'application/pdf'),
    },
  })),
  openai('a sound', (bytes, isInline) => ({
    type: 'input_audio',
    input_audio: {
      format: 'wav',
      data: isInline ? bytes.toString('base64') : referenceTo(bytes, 'audio/wav'),
    },
  })),
  openai('a file beside a long text', (bytes, isInline) => ({
    type: 'file',
    note: 'a long "note". '.repeat(1_000),
    file: { file_data: isInline ? dataUri(bytes, 'text/plain') : referenceTo(bytes, 'text/plain') },
  })),
  langroid('an image of Langroid', { mime_type: 'image/jpeg' }),
  langroid('a file of Langroid', { filename: 'a.pdf' }),
  langroid('a file of Langroid without a name', { mime_type: 'application/pdf' }),
];
const SIZES = [0, 4, 500, 5_000, 300_000];

describe.each(BOTH_WAYS)('attachments by digest, %s', (_, start) => {
  let service: Running;
  beforeAll(async () => {
    service = await start({ PREFLIGHT_LOG_LEVEL: 'debug' });
  });
  const count = (messages: readonly object[], more: object = {}) =>
    post(service.url, '/v1/count', { model, messages, ...more });

  describe.each(CASES)('$name', ({ format, inline, byDigest }) => {
    test.each(SIZES)('of %d bytes counts what its base64 counts', async (sizeBytes) => {
      const bytes = randomBytes(sizeBytes);
      const missing = await count([byDigest(bytes)], { format });
      if (sizeBytes > 0) {
        expect([missing.status, missing.body.code]).toEqual([424, 'unknown_digests']);
        expect(missing.body.missing).toEqual([`sha256:${sha256(bytes)}`]);
        await putBlob(service.url, bytes);
      }
      const counted = await count([byDigest(bytes)], { format });
      expect(counted.status, counted.text).toBe(200);
      const expected = await count([inline(bytes)], { format });
      expect(rowsOf(counted.body)).toEqual(rowsOf(expected.body));
      expect(counted.body.tokens).toBe(expected.body.tokens);
      expect(counted.body.warnings).toEqual(expected.body.warnings);
    });
  });

  test('only what is missing is asked for, each once', async () => {
    const [known, a, b] = [randomBytes(2_000), randomBytes(2_000), randomBytes(2_000)];
    await putBlob(service.url, known);
    const [image] = CASES as [Case];
    const answer = await count([known, a, b, a].map((bytes) => image.byDigest(bytes)));
    expect(answer.body.missing).toEqual([a, b].map((bytes) => `sha256:${sha256(bytes)}`));
  });

  test('the same file under another name, or as base64 before, is not counted again', async () => {
    const bytes = randomBytes(200_000);
    const [, file] = CASES as [Case, Case];
    const inline = await count([file.inline(bytes)]);
    expect(inline.body.cache.misses).toBeGreaterThan(0);
    await putBlob(service.url, bytes);
    const reference = referenceTo(bytes, 'application/octet-stream');
    const other = {
      role: 'user',
      content: [{ type: 'file', file: { filename: 'other', file_data: reference } }],
    };
    expect((await count([other], { count: 'content' })).body.cache.misses).toBe(0);
  });

  test('edits and conversation name it as the request did', async () => {
    const bytes = randomBytes(3_000);
    await putBlob(service.url, bytes);
    const [image] = CASES as [Case];
    const messages = [
      { role: 'user', content: 'a very long story '.repeat(2_000) },
      { role: 'assistant', content: 'Yes.' },
      image.byDigest(bytes),
    ];
    const { body } = await post(service.url, '/v1/preflight', {
      encoding: 'o200k_base',
      context_window: 6_000,
      max_output_tokens: 100,
      return: 'conversation',
      messages,
    });
    expect(body.outcome).toBe('truncated');
    expect(body.conversation.messages[2]).toEqual(messages[2]);
  });

  test.each<[string, object, string]>([
    ['a malformed digest', { digest: 'sha256:abc', bytes: 1, mime_type: 'image/png' }, '/url/digest'],
    ['no digest', { bytes: 1, mime_type: 'image/png' }, '/url/digest'],
    [
      'no bytes of a file that has some',
      { ...referenceTo(Buffer.alloc(1), 'image/png'), bytes: 0 },
      '/url/bytes',
    ],
    ['no size', { ...referenceTo(Buffer.alloc(1), 'image/png'), bytes: undefined }, '/url/bytes'],
    ['no type', referenceTo(Buffer.alloc(1)), '/url/mime_type'],
    [
      'a type that is too long',
      referenceTo(Buffer.alloc(1), `image/${'x'.repeat(100_000)}`),
      '/url/mime_type',
    ],
    ['a type that is no string', { ...referenceTo(Buffer.alloc(1)), mime_type: 5 }, '/url/mime_type'],
    ['another field', { ...referenceTo(Buffer.alloc(1), 'image/png'), name: 'x' }, '/url'],
  ])('%s is refused with its place', async (_name, url, place) => {
    const answer = await count([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual([`/messages/0/content/0/image_url${place}`]);
  });

  test('a reference around the field in which it belongs is refused', async () => {
    const image_url = referenceTo(Buffer.alloc(1), 'image/png');
    const answer = await count([{ role: 'user', content: [{ type: 'image_url', image_url }] }]);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  test('a wrong size is told, once the file is read', async () => {
    const bytes = randomBytes(3_000);
    await putBlob(service.url, bytes);
    const url = { ...referenceTo(bytes, 'image/png'), bytes: 3_001 };
    const answer = await count([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.figures).toEqual({ bytes: 3_000, said_bytes: 3_001 });
  });

  test('no byte of a file comes into a log', async () => {
    const bytes = Buffer.from('xylophone7f3aMARKER'.repeat(1_000));
    await putBlob(service.url, bytes);
    const [image] = CASES as [Case];
    expect((await count([image.byDigest(bytes)])).status).toBe(200);
    expect(service.output()).not.toContain('xylophone7f3aMARKER');
    expect(service.output()).not.toContain(bytes.toString('base64', 0, 60));
  });
});

describe.each(BOTH_WAYS)('counts, %s', (_, start) => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await start({ PREFLIGHT_BLOB_LIFETIME_MS: '1000' }));
  });

  test('outlive the file', async () => {
    const bytes = randomBytes(50_000);
    const [image] = CASES as [Case];
    const request = { model, messages: [image.byDigest(bytes)] };
    await putBlob(url, bytes);
    const first = await post(url, '/v1/count', request);
    expect(first.status).toBe(200);
    await waitFor(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      return (await headBlob(url, sha256(bytes))).status === 404;
    });
    const second = await post(url, '/v1/count', request);
    expect([second.status, second.body.tokens]).toEqual([200, first.body.tokens]);
    expect(second.body.cache.misses).toBe(0);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
function rowsOf(body: any) {
  return body.messages;
}
