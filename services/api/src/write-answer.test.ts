import { type Json, TextRange } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { writeAnswer } from './write-answer.js';

const written = async (body: Json) => Buffer.concat(await writeAnswer(body)).toString();

function range(text: string): TextRange {
  const bytes = Buffer.from(text);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, 0, bytes.length);
}

describe('the bytes are those of JSON.stringify', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ i, text: `"${i}"`, more: [[i]] }));

  test.each([0, 1, 1999, 2000, 2001, 4000, 4001, 10_000])('with a list of %i', async (count) => {
    const body = { id: 'ü"', list: rows(count), after: null, inner: { list: rows(count), x: {} } };
    expect(await written(body)).toBe(JSON.stringify(body));
    expect(await written(rows(count))).toBe(JSON.stringify(rows(count)));
  });

  test.each([null, 5, 'a', true, [], {}, [{}], { a: [] }])('of %j', async (body) => {
    expect(await written(body)).toBe(JSON.stringify(body));
  });

  test('where long texts are ranges', async () => {
    const texts = Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? `${i}\n` : 'plain'));
    const body = { first: range('a"b'), list: texts.map(range), last: [range('z')] };
    expect(await written(body)).toBe(JSON.stringify({ first: 'a"b', list: texts, last: ['z'] }));
  });
});

test('a small answer is one piece', async () => {
  expect(await writeAnswer({ id: 'x', tokens: { before: 1 }, messages: [{ index: 0 }] })).toHaveLength(1);
});

test('a large one lets others have their turn', async () => {
  let turns = 0;
  let isWriting = true;
  const next = () => {
    turns += 1;
    if (isWriting) setImmediate(next);
  };
  setImmediate(next);
  await writeAnswer({ list: Array.from({ length: 100_000 }, (_, i) => ({ index: i, text: 'a few words' })) });
  isWriting = false;
  expect(turns).toBeGreaterThan(1);
});
