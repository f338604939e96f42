import { textEstimateFor } from '@preflight/accounting';
import { toSharedBytes } from '@preflight/body';
import type { CountJob, PreflightJob } from '@preflight/contracts';
import { type Attachment, type Message, TextRange } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { type Digest, MemoryCountCache, MemoryPayloadStore } from '@preflight/storage';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { prepare } from '../prepare.js';
import type { Prepared } from '../prepared.js';
import { range, textOf } from '../testing/fake-pool.js';
import { shapeOf } from '../testing/shape-of.js';
import { StoredTexts } from '../texts/stored-text.js';
import { liftTexts } from './lift-texts.js';
import { readSkeleton, writeSkeleton } from './skeleton.js';

const pool = createPool({ threads: 1 });
afterAll(() => pool.close());

const message = (
  role: string,
  texts: Message['texts'],
  attachments: readonly Attachment[] = [],
): Message => ({
  role,
  texts,
  attachments,
});
const job = (messages: readonly Message[], fit?: PreflightJob['fit']): CountJob | PreflightJob => ({
  conversation: { messages, protectedCount: 1, tools: [] },
  model: 'gpt-4o',
  family: 'gpt-4o',
  encoding: 'o200k_base',
  count: 'request',
  ...(fit ? { fit } : {}),
});
const fit: PreflightJob['fit'] = {
  strategies: ['truncate'],
  contextWindowTokens: null,
  maxOutputTokens: 1,
  minOutputTokens: 0,
  bufferTokens: 300,
  budgetTokens: 100,
};

/** A request on its way: as it was, and as it comes out, with the long texts in a store. */
async function travel(given: CountJob | PreflightJob) {
  const payloads = new MemoryPayloadStore();
  const prepared = await prepare({ pool, cache: new MemoryCountCache({}), payloads }, given, {});
  const { references, ranges } = await liftTexts(pool, prepared.texts, {});
  for (const [digest, text] of ranges) await payloads.put(digest, text.bytes(), { lifetimeMs: 60_000 });
  const bytes = await writeSkeleton(prepared, references);
  const get = vi.spyOn(payloads, 'get');
  return {
    prepared,
    bytes,
    payloads,
    get,
    ranges,
    read: await readSkeleton(bytes, new StoredTexts({ pool, payloads })),
  };
}

async function contentOf({ texts, ...numbers }: Prepared) {
  const read = await Promise.all(texts.map(async (text) => [text.key, textOf(await text.read())]));
  return { ...numbers, texts: read };
}

const long = 'a long text, \u20ac 1. '.repeat(2_000);
const data = range(Buffer.from(long).toString('base64'));
const odd = range(Buffer.from(long).toString('base64').replace(/.{76}/g, '$&\n'));
const messages = [
  message('system', ['small', '', 'with "quotes" and \ud800']),
  message(
    'user',
    [range(long), 'm'.repeat(3_000), range('n'.repeat(6_000))],
    [
      { kind: 'file', pointer: '/messages/0/files/0', file: { contentBase64: data, filename: 'a.pdf' } },
      { kind: 'file', pointer: '/messages/0/files/1', file: { contentBase64: odd, filename: 'b.pdf' } },
      { kind: 'part', part: { type: 'other', text: range('quoted "text"\n'.repeat(3_000)) } },
    ],
  ),
  message('user', [range(long)]),
];

describe('a skeleton', () => {
  test.each([
    ['what is to be fitted', job(messages, fit)],
    ['what is to be counted', job(messages)],
    ['what is estimated', { ...job(messages, fit), estimate: textEstimateFor('claude-opus-4-7') }],
    ['nothing', job([])],
    ['thousands of texts', job(Array.from({ length: 5_000 }, (_, i) => message('user', [`text ${i}`])))],
  ])('of %s is the request again', async (_, given) => {
    const { prepared, read } = await travel(given);
    expect(await contentOf(read)).toEqual(await contentOf(prepared));
  });

  test('has no long texts, which are stored once each and as they are', async () => {
    const { bytes, ranges } = await travel(job(messages, fit));
    expect(bytes.length).toBeLessThan(20_000);
    const stored = [...ranges.values()].map((text) => text.byteLength);
    expect(stored.filter((length) => length === Buffer.byteLength(long))).toHaveLength(1);
    expect(stored).toHaveLength(4);
  });

  test('tells the keys of texts without fetching any, and fetches each once', async () => {
    const { read, get } = await travel(job(messages, fit));
    expect(new Set(read.texts.map(({ key }) => key)).size).toBe(read.texts.length);
    expect(get).not.toHaveBeenCalled();
    await contentOf(read);
    await contentOf(read);
    expect(get).toHaveBeenCalledTimes(4);
  });

  test.each([
    ['is gone', undefined],
    ['is not as long as it was', Buffer.from('short')],
  ])('of which a text %s says so when it is read', async (_, stored) => {
    const { read, payloads, ranges } = await travel(job([message('user', [range(long)])]));
    const [digest] = [...ranges.keys()] as [Digest];
    vi.spyOn(payloads, 'get').mockResolvedValueOnce(stored && toSharedBytes(stored));
    const text = read.texts.find(({ key }) => key.startsWith('d')) ?? expect.fail();
    await expect(text.read()).rejects.toMatchObject({
      code: 'storage_unavailable',
      internalDetail: expect.stringContaining(digest),
    });
  });

  test('of another version is refused', async () => {
    const other = readSkeleton(
      Buffer.from('{"version":1,"texts":[]}'),
      new StoredTexts({ pool, payloads: new MemoryPayloadStore() }),
    );
    await expect(other).rejects.toMatchObject({ code: 'version_mismatch' });
  });

  test('has another version whenever it has another shape', async () => {
    const { bytes } = await travel({ ...job(messages, fit), estimate: textEstimateFor('claude-opus-4-7') });
    await expect(shapeOf(bytes)).toMatchFileSnapshot('shapes/skeleton.txt');
  });
});

test('ranges of the texts that were given are lifted, not copies', async () => {
  const text = range(long);
  const { ranges } = await travel(job([message('user', [text])]));
  expect([...ranges.values()][0]).toBeInstanceOf(TextRange);
  expect([...ranges.values()][0]?.buffer).toBe(text.buffer);
});
