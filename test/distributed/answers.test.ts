import { beforeAll, describe, expect, test } from 'vitest';
import { atEndOfFile } from '../harness/at-end-of-file.js';
import { DistributedWorld } from '../harness/distributed.js';
import { type HttpAnswer, post, send } from '../harness/http.js';
import { mixed, seededBytes, TEXT_KINDS } from '../harness/seeded-texts.js';
import { startServer } from '../harness/server-process.js';

let embedded: string;
let apart: string;
let together: string;
beforeAll(async () => {
  const world = await DistributedWorld.start(atEndOfFile);
  const [alone, api, both] = await Promise.all([
    startServer({ PREFLIGHT_THREADS: '1' }, { atEnd: atEndOfFile }),
    world.startApi(),
    world.startBoth(),
    world.startCoordinator(),
  ]);
  [embedded, apart, together] = [alone.url, api.url, both.url];
});

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const base64 = (lengthBytes: number, seed: number) => seededBytes(lengthBytes, seed).toString('base64');
const image = (data: string) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
});
/** What begins as a GIF of that size does, as base64. */
const gif = (width: number, height: number, lengthBytes: number) => {
  const bytes = Buffer.alloc(lengthBytes);
  bytes.write('GIF89a', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes.toString('base64');
};
const text = (kind: string, characters: number, seed: number) =>
  (TEXT_KINDS[kind] as (characters: number, seed: number) => string)(characters, seed);
const withFiles = (files: object[]) => ({
  format: 'langroid',
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'a' },
    { role: 'user', content: 'b', files },
  ],
});
const tool = (description: string) => ({
  type: 'function',
  function: { name: 'look', description, parameters: { type: 'object', properties: { a: { description } } } },
});
const inLines = (data: string) => data.replace(/.{76}/g, '$&\r\n');

const preflights: Record<string, object> = {
  'a small conversation': { model: 'gpt-4o', messages: [user('hello there'), user('hello there')] },
  'no messages': { model: 'gpt-4o', messages: [] },
  'texts between all limits': {
    model: 'gpt-4o',
    messages: [900, 2_000, 5_000, 17_000, 300_000].flatMap((length, i) => [
      user(text('prose', length, i)),
      assistant([
        { type: 'text', text: mixed(length, i) },
        { type: 'text', text: '' },
      ]),
    ]),
  },
  'long texts that are cut': {
    encoding: 'o200k_base',
    context_window: 9_000,
    max_output_tokens: 100,
    messages: [
      user(''),
      assistant([
        { type: 'text', text: '' },
        { type: 'text', text: text('cjk', 30_000, 1) },
      ]),
      user(text('prose', 600_000, 2)),
      assistant(text('surrogates', 40_000, 3)),
      user(text('code', 9_000, 4)),
      user('And?'),
    ],
    return: 'conversation',
  },
  'turns that are dropped': {
    encoding: 'cl100k_base',
    context_window: 2_000,
    max_output_tokens: 100,
    strategy: 'drop_turns',
    messages: [user(text('prose', 20_000, 5)), assistant('a'), user(text('prose', 30_000, 6)), user('b')],
  },
  'what cannot fit': {
    encoding: 'o200k_base',
    context_window: 50,
    messages: [user(text('prose', 20_000, 7))],
  },
  'attachments of all kinds': {
    model: 'gpt-4o',
    messages: [
      user([{ type: 'text', text: 'see' }, image(base64(3_000_000, 8)), image(base64(3_000_000, 8))]),
      user([image(Buffer.alloc(100_000).toString('base64')), image('QUJD')]),
      user([{ type: 'file', file: { filename: 'ä"\\', file_data: text('escapes', 60_000, 9) } }]),
    ],
  },
  'attachments that are the same': {
    model: 'gpt-4o',
    context_window: 60_000,
    attachments: 'elide_repeated',
    messages: [
      user([image(base64(30_000, 23)), image(base64(3_000, 24))]),
      user([image(base64(30_000, 23))]),
      user([image(base64(30_000, 23)), image(base64(3_000, 24))]),
      user('And?'),
    ],
    return: 'conversation',
  },
  'attachments by what the provider makes of them': {
    model: 'gpt-5.5',
    accounting: 'provider',
    attachments: [{ pointer: '/messages/1/content/0', width: 800, height: 600 }],
    messages: [
      user([{ type: 'text', text: 'see' }, image(gif(640, 480, 3_000_000)), image(base64(30_000, 8))]),
      user([{ type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } }]),
      user([{ type: 'file', file: { file_id: 'file-1' } }]),
    ],
    gate: 'point',
  },
  'files of all kinds': withFiles([
    { content_base64: base64(200_000, 10), filename: 'a.pdf' },
    { content_base64: base64(200_001, 10) },
    { content_base64: base64(90_000, 11).replaceAll('+', '-').replaceAll('/', '_'), mime_type: 'image/png' },
    { content_base64: inLines(base64(90_000, 12)), filename: 'lines.bin' },
    { url: `https://example.org/${'x'.repeat(20_000)}`, mime_type: 'image/png' },
    {},
  ]),
  'tools and calls': {
    model: 'gpt-4',
    context_window: 1_000_000,
    messages: [
      { role: 'system', content: text('prose', 30_000, 13) },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: '1', type: 'function', function: { name: 'look', arguments: text('code', 40_000, 14) } },
          {
            id: '2',
            type: 'function',
            function: { name: 'look', arguments: { a: text('escapes', 40_000, 15) } },
          },
        ],
      },
      { role: 'tool', tool_call_id: '1', content: text('emoji', 20_000, 16) },
      { role: 'assistant', content: 'no', refusal: text('prose', 20_000, 17), name: 'bob' },
    ],
    tools: [
      tool('short'),
      tool(`${text('prose', 20_000, 18)}.`),
      { type: 'custom', x: text('bom', 20_000, 19) },
    ],
  },
  'five thousand messages': {
    model: 'gpt-4o',
    messages: Array.from({ length: 5_000 }, (_, i) => ({
      role: i % 2 ? 'user' : 'assistant',
      content: `number ${i}`,
    })),
    count: 'content',
  },
  'what is no base64': withFiles([{ content_base64: '!' }]),
  'an unknown encoding': { encoding: 'o900k', context_window: 9, messages: [user('a')] },
};

const counts: Record<string, object> = {
  'a text': { text: 'hello', encoding: 'gpt2' },
  'no text': { text: '', encoding: 'o200k_base' },
  'a long text': { text: text('prose', 400_000, 20), model: 'gpt-4' },
  'a conversation': { model: 'gpt-4o', messages: [user(text('prose', 50_000, 21)), user('b')] },
};

const calls = [
  ...Object.entries(preflights).map(([name, payload]) => ['/v1/preflight', name, payload] as const),
  ...Object.entries(counts).map(([name, payload]) => ['/v1/count', name, payload] as const),
];

describe('answers are those of the embedded service', () => {
  test.each(calls)('%s of %s', async (path, _, payload) => {
    const expected = comparable(await post(embedded, path, payload));
    expect(comparable(await post(apart, path, payload))).toEqual(expected);
    // The second time its counts are known, and another process of the same world has been asked before.
    expect(comparable(await post(together, path, payload))).toEqual(expected);
    expect(comparable(await post(apart, path, payload))).toEqual(expected);
  });

  test('of a conversation that is known comes at once', async () => {
    const payload = {
      model: 'gpt-4o',
      messages: [user(`once ${text('prose', 20_000, 22)}`), user('and again')],
    };
    expect((await post(apart, '/v1/preflight', payload)).body.cache.misses).toBeGreaterThan(0);
    const { body } = await post(apart, '/v1/preflight', payload);
    expect([body.cache.misses, body.timing.queue_ms]).toEqual([0, 0]);
  });

  test('of what is no JSON', async () => {
    const sent = { path: '/v1/preflight', headers: { 'content-type': 'application/json' }, body: '{' };
    expect(comparable(await send(apart, sent))).toEqual(comparable(await send(embedded, sent)));
  });
});

function comparable({ status, body }: HttpAnswer) {
  const { id, request_id, timing, cache, ...rest } = body;
  return { status, ...rest };
}
