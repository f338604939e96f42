import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PreflightError } from '@preflight/core';
import { afterEach, describe, expect, test } from 'vitest';
// As it is built, since it starts a thread from a file beside it.
import { DocumentReader } from '../dist/document-reader.js';

const readers: DocumentReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});

function openReader(limits: { deadlineMs?: number; heapMb?: number } = {}): DocumentReader {
  const reader = new DocumentReader(limits);
  readers.push(reader);
  return reader;
}

const FILE = readFileSync(join(import.meta.dirname, '../../../test/media/corpus/pdf-gs-1.7-3.pdf')).toString(
  'base64',
);

/** One page, with a list of so many empty dictionaries in it, which take far more memory than bytes. */
function crowded(dictionaries: number): string {
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Junk[${'<<>>'.repeat(dictionaries)}]>>`;
  return Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj${page}endobj\n` +
      'trailer<</Root 1 0 R>>',
  ).toString('base64');
}

describe('a document', () => {
  test('is read, one after the other', async () => {
    const reader = openReader();
    const outcomes = await Promise.all(
      [FILE, FILE, 'JVBERi0=', '!'].map((file) => reader.read(file, 'encoded', {})),
    );
    expect(outcomes).toMatchObject([
      { pages: 3 },
      { pages: 3 },
      { unreadable: 'damaged' },
      { unreadable: 'damaged' },
    ]);
    expect(Buffer.from((outcomes[0] as { text: SharedArrayBuffer }).text).toString()).toMatch(
      /^This is page 1 of 3.*\nThis is page 2/,
    );
  });

  test('that takes too long ends its thread', async () => {
    const reader = openReader({ deadlineMs: 1 });
    expect(await reader.read(FILE, 'encoded', {})).toEqual({ unreadable: 'took_too_long' });
    expect(await reader.read(FILE, 'encoded', {})).toEqual({ unreadable: 'took_too_long' });
  });

  test('that takes more heap than there is for it is too large, and the next one is read', async () => {
    const reader = openReader({ heapMb: 32 });
    expect(await reader.read(crowded(1_000_000), 'encoded', {})).toEqual({ unreadable: 'too_large' });
    expect(await reader.read(FILE, 'encoded', {})).toMatchObject({ pages: 3 });
  });

  test('that nobody waits for any more is left, and those behind it are read', async () => {
    const reader = openReader();
    const left = new AbortController();
    const gone = new PreflightError('request_cancelled');
    const outcomes = Promise.allSettled([
      reader.read(FILE, 'encoded', { signal: left.signal }),
      reader.read(FILE, 'encoded', { signal: left.signal }),
      reader.read(FILE, 'encoded', {}),
    ]);
    left.abort(gone);
    expect(await outcomes).toMatchObject([{ reason: gone }, { reason: gone }, { value: { pages: 3 } }]);
  });
});
