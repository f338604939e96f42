import { type Json, TextRange } from '@preflight/core';
import { describe, expect, test, vi } from 'vitest';
import { parseBody } from './parse-body.js';
import { RandomJson, seededRandom } from './random-json.fuzz.js';
import { toSharedBytes } from './shared-bytes.js';
import { writeJson, writeJsonChunks, writeJsonSteps } from './write-json.js';

function rangeOf(text: string): TextRange {
  // Not at the start of its buffer, so that an offset left out shows.
  const bytes = toSharedBytes(Buffer.from(`>>>${text}<`));
  return new TextRange(bytes.buffer, 3, bytes.length - 1);
}

describe('ranges', () => {
  test.each([
    '',
    'plain',
    'a"b',
    '"',
    '\\',
    '\u007f\u2028\u2029é€😀',
    'line\nline\r\n\ttab\b\f',
    Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join(''),
    'x'.repeat(1000),
    `${'x'.repeat(37)}\n`.repeat(50),
    '"\\'.repeat(99),
  ])('are written as JSON.stringify writes the string %j', (text) => {
    const written = writeJson([rangeOf(text), { key: rangeOf(text) }]);
    expect(written.toString()).toBe(JSON.stringify([text, { key: text }]));
  });

  test('with nothing to escape are not copied', () => {
    const range = rangeOf('x'.repeat(10_000));
    const chunks = writeJsonChunks({ data: range });
    expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual([
      '{"data":"',
      'x'.repeat(10_000),
      '"}',
    ]);
    expect(chunks[1]?.buffer).toBe(range.buffer);
  });
});

describe('all else', () => {
  const values: Json[] = [
    null,
    true,
    'a string with \ud800 and "quotes"',
    -0,
    1e21,
    Number.POSITIVE_INFINITY,
    [],
    {},
    [[], {}, [null]],
    JSON.parse('{"__proto__":{"a":1},"10":1,"2":2,"":"","toJSON":3}') as Json,
  ];
  test.each(values.map((value) => [JSON.stringify(value), value] as const))(
    'is written: %s',
    (text, value) => {
      expect(writeJson(value).toString()).toBe(text);
      // Beside a range, the containers around it are written by our own hand.
      expect(writeJson({ value, range: rangeOf('x') }).toString()).toBe(`{"value":${text},"range":"x"}`);
      expect(writeJson([rangeOf('x'), value]).toString()).toBe(`["x",${text}]`);
    },
  );

  test('an own __proto__ with a range inside is written', () => {
    const value = JSON.parse('{"__proto__":{"a":1}}') as Record<string, Record<string, Json>>;
    Object.assign(Object.values(value)[0] as object, { a: rangeOf('x') });
    expect(writeJson(value).toString()).toBe('{"__proto__":{"a":"x"}}');
  });

  test('nesting of any depth is written', () => {
    const depth = 100_000;
    let value: Json = 1;
    for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
    const written = writeJson(value).toString();
    expect(written).toBe('{"a":['.repeat(depth / 2) + 1 + ']}'.repeat(depth / 2));
  });
});

describe('steps', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ i, text: `"${i}"`, more: [[i]] }));

  test.each([0, 1, 1000, 10_000])('write the bytes of JSON.stringify with a list of %i', (count) => {
    const body = { id: 'ü"', list: rows(count), after: null, inner: { list: rows(count), x: {} } };
    expect(writeJson(body).toString()).toBe(JSON.stringify(body));
    expect(writeJson(rows(count)).toString()).toBe(JSON.stringify(rows(count)));
  });

  test('write long texts among short ones', () => {
    const texts = Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? `${i}\n` : 'plain'));
    const list = texts.map((text, i) => (i % 2 === 0 ? rangeOf(text) : text));
    expect(writeJson({ first: rangeOf('a"b'), list, last: [rangeOf('z')] }).toString()).toBe(
      JSON.stringify({ first: 'a"b', list: texts, last: ['z'] }),
    );
  });

  test('write many random values at once', () => {
    const texts = new RandomJson(seededRandom(3));
    const values: Json[] = [];
    while (values.length < 5000) {
      try {
        values.push(JSON.parse(texts.next().toString()));
      } catch {
        // Not all of them are JSON.
      }
    }
    expect(writeJson(values).toString()).toBe(JSON.stringify(values));
    const members = Object.fromEntries(values.map((value, i) => [`${i}"`, value]));
    expect(writeJson(members).toString()).toBe(JSON.stringify(members));
  });

  test.each([
    ['a list', Array(100_000).fill(0)],
    ['rows', rows(30_000)],
    ['an object', { ...rows(30_000) }],
    ['a list in an object in a list', [{ list: rows(30_000) }]],
    ['texts', Array(10_000).fill('x'.repeat(4096))],
  ] as [string, Json][])('give JSON.stringify little at a time: %s', (_, value) => {
    const taken = vi.spyOn(JSON, 'stringify');
    const chunks = writeJsonChunks(value);
    const lengths = taken.mock.results.map(({ value: text }) => text?.length ?? 0);
    taken.mockRestore();
    expect(lengths.length).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThan(200_000);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(400_000);
    expect(Buffer.concat(chunks).toString()).toBe(JSON.stringify(value));
  });

  test('escape little of a long text at a time, whole characters', () => {
    const text = 'a😀\n'.repeat(400_000);
    const steps = writeJsonSteps(rangeOf(text));
    let count = 1;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count += 1;
    expect(count).toBeGreaterThanOrEqual(8);
    expect(Buffer.concat(step.value).toString()).toBe(JSON.stringify(text));
  });

  test('write lone surrogates as they came, wherever a step ends', () => {
    const text = 'a\ud800é\udc00'.repeat(200_000);
    const given = parseBody(Buffer.from(JSON.stringify(text)));
    expect(writeJson(given).toString()).toBe(JSON.stringify(text));
    expect(Buffer.from((given as TextRange).bytes()).toString()).toBe(text.toWellFormed());
  });
});
