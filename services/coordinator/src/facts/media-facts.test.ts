import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlobText, type MediaPart, TextRange } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { openStorage, type Storage } from '@preflight/storage';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { mediaFacts } from './media-facts.js';

const pool = createPool({ threads: 1 });
afterAll(() => pool.close());

let storage: Storage<never>;
beforeEach(async () => {
  storage = await openStorage<never>({ onWarning: () => expect.fail() });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await storage.close();
});

/** The beginning of a GIF, 640 by 480, and as many bytes behind it. */
const gif = (byteLength: number) =>
  Buffer.concat([Buffer.from('GIF89a\x80\x02\xe0\x01', 'latin1'), Buffer.alloc(byteLength)]);
const FACTS = { kind: 'image', widthPx: 640, heightPx: 480, mimeType: 'image/gif' };

const OPTIONS = { encoding: 'o200k_base' } as const;
const stores = () => ({ pool, cache: storage.countCache, payloads: storage.payloads });

function range(text: string): TextRange {
  const buffer = new SharedArrayBuffer(text.length);
  Buffer.from(buffer).write(text);
  return new TextRange(buffer, 0, text.length);
}

describe('facts of files', () => {
  test('that stand in the request, and of one that does not', async () => {
    const uri = `data:image/gif;base64,${gif(100_000).toString('base64')}`;
    const facts = await mediaFacts(
      stores(),
      [
        { kind: 'image', data: range(uri) },
        { kind: 'image' },
        { mimeType: 'video/mp4' },
        { data: gif(0).toString('base64') },
      ],
      OPTIONS,
    );
    expect(facts).toEqual([
      FACTS,
      { kind: 'unreadable', reason: 'not_here', as: 'image' },
      { kind: 'unreadable', reason: 'not_here', as: 'video' },
      FACTS,
    ]);
  });

  test('that came apart are read once, and known when their bytes are gone', async () => {
    const file = gif(5000);
    const sha256 = createHash('sha256').update(file).digest('hex');
    const data = new BlobText({ sha256, byteLength: file.length }, '');
    await expect(mediaFacts(stores(), [{ data }], OPTIONS)).rejects.toMatchObject({
      code: 'unknown_digests',
    });
    await storage.payloads.put(sha256, file, { lease: 'l', lifetimeMs: 60_000 });
    expect(await mediaFacts(stores(), [{ data }, { data }], OPTIONS)).toEqual([FACTS, FACTS]);
    await storage.payloads.release(['l']);
    const inspectAll = vi.spyOn(pool, 'inspectAll');
    expect(await mediaFacts(stores(), [{ data }], OPTIONS)).toEqual([FACTS]);
    expect(inspectAll).not.toHaveBeenCalled();
  });

  test('whose payload has a digest are read once, by no thread after that, and stand apart by what is written in front', async () => {
    const base64 = gif(100_000).toString('base64');
    const image = range(`data:image/gif;base64,${base64}`);
    const words = range(Buffer.from('a few words '.repeat(500)).toString('base64'));
    const titled = range(
      `data:text/plain;base64,${Buffer.from('a few words '.repeat(500)).toString('base64')}`,
    );
    const digests = new Map([image, words, titled].map((text) => [text, text === image ? 'ab' : 'cd']));
    const parts = [{ data: image }, { data: words }, { data: titled }];
    const first = await mediaFacts(stores(), parts, { ...OPTIONS, digests });
    expect(first).toEqual([
      FACTS,
      { kind: 'unreadable', reason: 'unknown_type' },
      { kind: 'text', textTokens: expect.any(Number) },
    ]);
    const asked = [vi.spyOn(pool, 'inspectAll'), vi.spyOn(pool, 'digestAll'), vi.spyOn(pool, 'countAll')];
    expect(await mediaFacts(stores(), parts, { ...OPTIONS, digests })).toEqual(first);
    for (const call of asked) expect(call).not.toHaveBeenCalled();
  });

  test('equal ones of one request are read once', async () => {
    const get = vi.spyOn(storage.payloads, 'get');
    const { data } = await stored(gif(5000));
    await mediaFacts(stores(), [{ data }, { data }, { data }], OPTIONS);
    expect(get).toHaveBeenCalledTimes(1);
  });
});

const corpus = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../../test/media/corpus', name));
const asPdf = (file: Buffer): MediaPart => ({
  data: range(`data:application/pdf;base64,${file.toString('base64')}`),
});

async function stored(file: Buffer): Promise<{ data: BlobText }> {
  const sha256 = createHash('sha256').update(file).digest('hex');
  await storage.payloads.put(sha256, file, { lease: 'l', lifetimeMs: 60_000 });
  return { data: new BlobText({ sha256, byteLength: file.length }, '') };
}

describe('documents', () => {
  const PDF = { kind: 'pdf', pages: 10, mimeType: 'application/pdf' };

  test('PDF files have pages and text, encrypted ones too if no password opens them', async () => {
    const facts = await mediaFacts(
      stores(),
      [
        asPdf(corpus('pdf-gs-1.7-10.pdf')),
        asPdf(corpus('pdf-owner-password-streams-256.pdf')),
        asPdf(corpus('pdf-user-password-256.pdf')),
        asPdf(corpus('pdf-no-xref.pdf')),
        asPdf(Buffer.from('%PDF-1.7 and nothing else')),
      ],
      OPTIONS,
    );
    const tokens = await pool.countAll('o200k_base', [[pageTexts(10)]]);
    expect(facts).toEqual([
      { ...PDF, textTokens: tokens[0] },
      { ...PDF, textTokens: tokens[0] },
      { kind: 'unreadable', as: 'pdf', reason: 'encrypted' },
      PDF,
      { kind: 'unreadable', as: 'pdf', reason: 'damaged' },
    ]);
  });

  test('have no text where that of some pages is missing', async () => {
    const text = new TextRange(new SharedArrayBuffer(0), 0, 0);
    vi.spyOn(pool, 'readPdf').mockResolvedValue({ pages: 9, text });
    expect(await mediaFacts(stores(), [asPdf(corpus('pdf-gs-1.7-10.pdf'))], OPTIONS)).toEqual([PDF]);
  });

  test('are read once, and their text counted in each encoding', async () => {
    const readPdf = vi.spyOn(pool, 'readPdf');
    const pdf = asPdf(corpus('pdf-gs-1.4-3.pdf'));
    const first = await mediaFacts(stores(), [pdf], OPTIONS);
    expect(await mediaFacts(stores(), [pdf], OPTIONS)).toEqual(first);
    expect(readPdf).toHaveBeenCalledTimes(1);
    await mediaFacts(stores(), [pdf], { encoding: 'cl100k_base' });
    expect(readPdf).toHaveBeenCalledTimes(2);
  });

  test('of one request are read one after the other, however many they are', async () => {
    let running = 0;
    const readPdf = vi.spyOn(pool, 'readPdf').mockImplementation(async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise(setImmediate);
      running -= 1;
      return { unreadable: 'damaged' };
    });
    const file = corpus('pdf-plain-1.pdf').toString('latin1');
    const parts = Array.from({ length: 300 }, (_, i) => asPdf(Buffer.from(`${file}%${i}`, 'latin1')));
    const facts = await mediaFacts(stores(), parts, OPTIONS);
    expect(facts).toHaveLength(300);
    for (const ofFile of facts) expect(ofFile).toEqual({ ...PDF, pages: 1 });
    expect(readPdf).toHaveBeenCalledTimes(300);
  });

  test('plain texts, as files and in the request, with what is said about them', async () => {
    const words = 'a few words, or more. '.repeat(50);
    const [count] = (await pool.countAll('o200k_base', [[words], ['title']])) as unknown as [number];
    const [, ofTitle] = (await pool.countAll('o200k_base', [[words], ['title']])) as unknown as [
      number,
      number,
    ];
    const base64 = Buffer.from(words).toString('base64');
    const facts = await mediaFacts(
      stores(),
      [
        { data: range(`data:text/plain;base64,${base64}`) },
        { data: base64, mimeType: 'text/csv', texts: ['title'] },
        { kind: 'text', texts: [words, 'title'] },
        { data: Buffer.from([1, 0, 2]).toString('base64'), kind: 'text' },
        { kind: 'pdf', texts: ['title'] },
      ],
      OPTIONS,
    );
    expect(facts).toEqual([
      { kind: 'text', textTokens: count },
      { kind: 'text', textTokens: count + ofTitle },
      { kind: 'text', textTokens: count + ofTitle },
      { kind: 'unreadable', as: 'text', reason: 'damaged' },
      { kind: 'unreadable', as: 'pdf', reason: 'not_here' },
    ]);
  });
});

function pageTexts(pages: number): string {
  return Array.from({ length: pages }, (_, i) => `This is page ${i + 1} of ${pages}, with some words.`).join(
    '\n',
  );
}
