import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makePdf } from './sample.js';

const pdf = makePdf();
const text = pdf.toString('latin1');

/** Offsets of the cross-reference table, by object number. */
function crossReferences(): number[] {
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const [, first, size, ...lines] = /^xref\n(\d+) (\d+)\n/.exec(text.slice(start)) ?? [];
  expect([first, lines]).toEqual(['0', []]);
  const rows = text
    .slice(start)
    .split('\n')
    .slice(2, 2 + Number(size));
  expect(rows.every((row) => /^\d{10} \d{5} [nf] $/.test(row))).toBe(true);
  return rows.map((row) => Number(row.slice(0, 10)));
}

function inflatedStreams(bytes: Buffer): Buffer[] {
  const latin = bytes.toString('latin1');
  return [...latin.matchAll(/\/Length (\d+)>>\nstream\n/g)].map((match) => {
    const start = match.index + match[0].length;
    const length = Number(match[1]);
    expect(latin.slice(start + length, start + length + 10)).toBe('\nendstream');
    return inflateSync(bytes.subarray(start, start + length));
  });
}

test('it is a PDF of at least 1.9 MB', () => {
  expect(pdf.length).toBeGreaterThanOrEqual(1_900_000);
  expect(text.startsWith('%PDF-1.')).toBe(true);
});

test('each entry of its cross-reference table leads to its object', () => {
  const offsets = crossReferences();
  expect(Number(/\/Size (\d+)/.exec(text)?.[1])).toBe(offsets.length);
  for (const [number, offset] of offsets.entries())
    if (number > 0) expect(text.slice(offset, offset + 12).startsWith(`${number} 0 obj\n`)).toBe(true);
});

test('it has as many pages as it says', () => {
  const pages = text.match(/\/Type\/Page\b(?!s)/g) ?? [];
  const kids = /\/Kids\[([^\]]*)\]/.exec(text)?.[1]?.match(/\d+ 0 R/g) ?? [];
  expect(pages.length).toBeGreaterThan(1);
  expect([pages.length, kids.length]).toEqual([Number(/\/Count (\d+)/.exec(text)?.[1]), pages.length]);
});

test('its streams inflate, compressed to less than they were, pictures to the size they claim', () => {
  const streams = inflatedStreams(pdf);
  expect(streams.length).toBe((text.match(/\nendstream/g) ?? []).length);
  expect(streams.reduce((sum, each) => sum + each.length, 0)).toBeGreaterThan(pdf.length);
  const [width, height] = [...(/\/Width (\d+)\/Height (\d+)/.exec(text)?.slice(1) ?? [])].map(Number);
  const pictures = streams.filter((stream) => stream.length === (width ?? 0) * (height ?? 0) * 3);
  expect(pictures.length).toBe((text.match(/\/Subtype\/Image/g) ?? []).length);
});

test('the same seed gives the same content, another seed another', () => {
  const contents = (seed: number) => inflatedStreams(makePdf(seed));
  expect(contents(1).every((stream, i) => stream.equals(inflatedStreams(pdf)[i] as Buffer))).toBe(true);
  expect(contents(2)[0]?.equals(contents(1)[0] as Buffer)).toBe(false);
});
