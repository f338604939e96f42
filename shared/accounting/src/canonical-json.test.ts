import { finish, type Json, TextRange } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './index.js';

describe('canonicalJson', () => {
  // Expected values are what Python prints: json.dumps(value, sort_keys=True, separators=(',', ':')).
  it.each<[Json, string]>([
    [null, 'null'],
    [true, 'true'],
    ['', '""'],
    [[], '[]'],
    [{}, '{}'],
    [{ b: 1, a: [1, { d: null, c: false }], B: '' }, '{"B":"","a":[1,{"c":false,"d":null}],"b":1}'],
    [{ a1: 1, a: 2, a10: 3, '': 4 }, '{"":4,"a":2,"a1":1,"a10":3}'],
    [{ '\uffff': 1, '😀': 2, z: 3 }, '{"z":3,"\\uffff":1,"\\ud83d\\ude00":2}'],
    ['/ "\\\b\f\n\r\t', '"/ \\"\\\\\\b\\f\\n\\r\\t"'],
    ['~\u007f\u0000é日📄', '"~\\u007f\\u0000\\u00e9\\u65e5\\ud83d\\udcc4"'],
    [0.5, '0.5'],
    [1e21, '1e+21'],
    [123456789012, '123456789012'],
    [-0, '0'],
  ])('%j', (value, expected) => {
    expect(finish(canonicalJson(value))).toEqual([expected]);
  });

  it('reads lone surrogates as U+FFFD, as counting does', () => {
    expect(finish(canonicalJson('\ud83d \udcc4'))).toEqual(['"\\ufffd \\ufffd"']);
  });

  it('keeps long texts as pieces and joins the rest', () => {
    const long = new TextRange(new SharedArrayBuffer(8), 0, 8);
    expect(finish(canonicalJson({ type: 'image_url', image_url: { url: long, detail: 'low' } }))).toEqual([
      '{"image_url":{"detail":"low","url":"',
      { text: long, as: 'json' },
      '"},"type":"image_url"}',
    ]);
  });

  it('knows keys that objects have by themselves', () => {
    expect(finish(canonicalJson(JSON.parse('{"__proto__":1,"constructor":2}')))).toEqual([
      '{"__proto__":1,"constructor":2}',
    ]);
  });

  it('writes much in steps, and in pieces that nobody has to copy at once', () => {
    const value = { list: Array(100_000).fill(0), texts: Array(100).fill('日'.repeat(4000)) };
    const steps = canonicalJson(value);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(100);
    const pieces = step.value as string[];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
    expect(JSON.parse(pieces.join(''))).toEqual(value);
  });
});
