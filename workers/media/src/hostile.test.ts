import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inspect, readPdfText } from './index.js';

/** Some megabytes of the same. */
const much = (piece: string, lengthBytes = 4_000_000) =>
  Buffer.from(piece.repeat(Math.ceil(lengthBytes / piece.length)), 'latin1');
/** The same, with a number in front of each and in the names in it. */
const numbered = (piece: string) =>
  Buffer.from(
    Array.from(
      { length: 4_000_000 / (piece.length + 6) },
      (_, i) => `${i} ${piece.replace('/A ', `/A${i} `)} `,
    ).join(''),
    'latin1',
  );
const file = (...parts: readonly (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));

const answer = (bytes: Buffer) => {
  const facts = inspect(bytes, { form: 'bytes' });
  return facts.kind === 'unreadable' ? facts.reason : facts;
};

describe('bytes that are made to keep a reader', () => {
  test.each([
    ['a JPEG of fill bytes', file('\xff\xd8', much('\xff')), 'took_too_long'],
    ['a JPEG of empty segments', file('\xff\xd8', much('\xff\xe0\0\x02')), 'damaged'],
    ['a WAV of empty chunks', file('RIFF\0\0\0\0WAVE', much('junk\0\0\0\0')), 'took_too_long'],
    ['a HEIC of empty boxes', file('\0\0\0\x10ftypheic\0\0\0\0', much('\0\0\0\x08free')), 'took_too_long'],
    [
      'an MP4 of boxes without a length',
      file('\0\0\0\x10ftypisom\0\0\0\0', much('\0\0\0\x01free\0\0\0\0\0\0\0\x01')),
      'damaged',
    ],
    ['a Matroska of empty elements', file('\x1a\x45\xdf\xa3\x80', much('\xec\x80')), 'took_too_long'],
    ['an MP3 of tags', file(much('ID3\x04\0\0\0\0\0\0')), 'damaged'],
    ['a PDF of open lists', file('%PDF-1.7\n1 0 obj', much('['), '\nstartxref 9'), 'damaged'],
    ['a PDF of object starts', file('%PDF-1.7\n', much('1 0 obj ')), 'took_too_long'],
    ['a PDF of objects that begin a comment', file('%PDF-1.7\n', numbered('0 obj%')), 'took_too_long'],
    ['a PDF of objects that begin a string', file('%PDF-1.7\n', numbered('0 obj<</A(')), 'took_too_long'],
    [
      'a PDF of objects that begin a string of digits',
      file('%PDF-1.7\n', numbered('0 obj<</A<')),
      'took_too_long',
    ],
    ['a PDF of trailers that are comments', file('%PDF-1.7\n', much('trailer%')), 'took_too_long'],
    [
      'a PDF of streams of references, each with names of its own',
      file('%PDF-1.7\n', numbered('0 obj<</Type/XRef/A 1>>stream\n')),
      'took_too_long',
    ],
    [
      'a PDF of streams without an end',
      file('%PDF-1.7\n', numbered('0 obj<</Type/ObjStm>>stream\n')),
      'took_too_long',
    ],
    [
      'a PDF with a table of a million rows',
      file('%PDF-1.7\nxref\n0 1000000\n', much('0000000009 00000 n \n', 20_000_000), 'startxref\n9\n'),
      'took_too_long',
    ],
    ['an AIFF with a rate of nothing', file('FORM\0\0\0\0AIFFCOMM\0\0\0\x12', '\0'.repeat(18)), 'damaged'],
  ])('%s', (_, bytes, reason) => {
    expect(answer(bytes)).toEqual(reason);
  });
});

describe('PDF files', () => {
  /** Objects one after the other, and no table of them. */
  const pdf = (trailer: string, ...objects: readonly (string | Buffer)[]) =>
    file(
      '%PDF-1.7\n',
      ...objects.flatMap((object, i) => [`${i + 1} 0 obj `, object, '\nendobj\n']),
      `trailer ${trailer}`,
    );
  const ROOT = '<</Root 1 0 R>>';
  const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';

  test('that say that they have a thousand million pages have those that there are', () => {
    const pages = '<</Type/Pages/Count 1000000000/Kids[3 0 R 3 0 R]>>';
    expect(answer(pdf(ROOT, CATALOG, pages, '<</Type/Page>>'))).toMatchObject({ kind: 'pdf', pages: 2 });
  });

  test('whose tree is a circle have the pages that are found', () => {
    const circle = '<</Type/Pages/Kids[2 0 R]>>';
    expect(answer(pdf(ROOT, CATALOG, circle, '<</Type/Page>>'))).toMatchObject({ kind: 'pdf', pages: 1 });
    expect(answer(pdf(ROOT, CATALOG, circle))).toBe('damaged');
  });

  test('whose tree doubles at every level are too large', () => {
    const levels = Array.from({ length: 50 }, (_, i) => `<</Type/Pages/Kids[${i + 3} 0 R ${i + 3} 0 R]>>`);
    expect(answer(pdf(ROOT, CATALOG, ...levels, '<</Type/Page>>'))).toBe('too_large');
  });

  describe('with an entry for a key that is not there', () => {
    const ENCRYPTED = '<</Root 1 0 R/Encrypt 5000 0 R>>';
    const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
    const tree = (kids: string, count: number) => `<</Type/Pages/Count ${count}/Kids[${kids}]>>`;
    const pages = (count: number) => Array.from({ length: count }, () => PAGE);
    test.each([
      ['no page', [tree('', 0)], { unreadable: 'damaged' }],
      ['300 pages that no tree leads to', [tree('', 300), ...pages(300)], { unreadable: 'damaged' }],
      ['300 pages, of which the tree has one', [tree('3 0 R', 1), ...pages(300)], { unreadable: 'damaged' }],
      ['300 pages told, and none there', [tree('4000 0 R', 300)], { unreadable: 'damaged' }],
      ['300 pages told, and one there', [tree('3 0 R', 300), PAGE], { unreadable: 'damaged' }],
      ['one page', [tree('3 0 R', 1), PAGE], { pages: 1 }],
    ])('%s', async (_, objects, expected) => {
      const bytes = pdf(ENCRYPTED, CATALOG, ...objects);
      expect(answer(bytes)).toBe('encrypted');
      expect(await readPdfText(Uint8Array.from(bytes))).toMatchObject(expected);
    });
  });

  test('whose objects refer to each other are damaged', () => {
    expect(answer(pdf(ROOT, '2 0 R', '1 0 R'))).toBe('damaged');
  });

  test('with a stream that is inflated without end are too large', () => {
    const bomb = deflateSync(Buffer.alloc(100_000_000, 0x20), { level: 9 });
    const stream = file(
      `<</Type/ObjStm/N 1/First 9/Filter/FlateDecode/Length ${bomb.length}>>stream\n`,
      bomb,
      '\nendstream',
    );
    expect(answer(pdf(ROOT, CATALOG, stream))).toBe('too_large');
  });

  test('with streams that break off where they have grown large are too large', () => {
    const bomb = deflateSync(Buffer.alloc(7_000_000, 0x20), { level: 9 });
    bomb[bomb.length - 1] = (bomb[bomb.length - 1] as number) ^ 1;
    const stream = file(
      `<</Type/ObjStm/N 1/First 9/Filter/FlateDecode/Length ${bomb.length}>>stream\n`,
      bomb,
      '\nendstream',
    );
    expect(answer(pdf(ROOT, CATALOG, ...Array.from({ length: 300 }, () => stream)))).toBe('too_large');
  });

  test('whose table claims more than there is are searched', () => {
    const table = 'xref\n0 4000000000\n0000000000 65535 f \ntrailer <</Root 1 0 R>>\n';
    const body = file(
      '%PDF-1.7\n1 0 obj',
      CATALOG,
      'endobj 2 0 obj<</Type/Pages/Kids[3 0 R]>>endobj 3 0 obj<</Type/Page>>endobj\n',
    );
    expect(answer(file(body, table, `startxref\n${body.length}\n%%EOF`))).toMatchObject({ pages: 1 });
  });
});
