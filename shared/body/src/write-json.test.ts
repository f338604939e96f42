import { type Json, TextRange } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { toSharedBytes } from './shared-bytes.js';
import { writeJson, writeJsonChunks } from './write-json.js';

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
