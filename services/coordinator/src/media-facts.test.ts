import { createHash } from 'node:crypto';
import { BlobText, TextRange } from '@preflight/core';
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
afterEach(() => storage.close());

/** The beginning of a GIF, 640 by 480, and as many bytes behind it. */
const gif = (byteLength: number) =>
  Buffer.concat([Buffer.from('GIF89a\x80\x02\xe0\x01', 'latin1'), Buffer.alloc(byteLength)]);
const FACTS = { kind: 'image', widthPx: 640, heightPx: 480, mimeType: 'image/gif' };

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
      {},
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
    await expect(mediaFacts(stores(), [{ data }], {})).rejects.toMatchObject({ code: 'unknown_digests' });
    await storage.payloads.put(sha256, file, { lease: 'l', lifetimeMs: 60_000 });
    expect(await mediaFacts(stores(), [{ data }, { data }], {})).toEqual([FACTS, FACTS]);
    await storage.payloads.release(['l']);
    const inspectAll = vi.spyOn(pool, 'inspectAll');
    expect(await mediaFacts(stores(), [{ data }], {})).toEqual([FACTS]);
    expect(inspectAll).not.toHaveBeenCalled();
  });
});
