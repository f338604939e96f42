import { describe, expect, test } from 'vitest';
import { measureText } from './measure-text.js';

// Lengths recorded from Python 3.11: `len(repr(text))` and `len(repr(json.loads(text, strict=False)))`.

const reprs: [text: string, length: number][] = [
  ['', 2],
  ['plain', 7],
  ["it's", 6],
  ['say "hi"', 10],
  ['it\'s "both" it\'s', 20],
  ['back\\slash', 13],
  ['line\nbreak\ttab\rreturn', 26],
  ['\u0000\u001f\u007f', 14],
  ['caf\u00e9', 6],
  ['\u00a0\u00ad', 10],
  ['\u200b\u2028\u3000', 20],
  ['\u4f60\u597d', 4],
  ['\ud83d\udc4b\ud83c\udffd', 4],
  ['\udb40\udc01', 12],
  ['\ue000', 8],
  ['\u0378', 8],
  ['\u0085', 6],
  ['\ufeff', 8],
];

const jsonReprs: [json: string, length: number][] = [
  ['{}', 2],
  ['[]', 2],
  ['{"city": "Oslo", "n": 3, "flag": true, "nul": null}', 51],
  [
    '[1, 1.0, -0, -0.0, 1e5, 1E400, -1e400, 1e16, 1e15, 123456789012345680000.0, 1e-5, 1.5e-7, 0.0001, 12345678901234567890123]',
    138,
  ],
  ['{"a":1,"b":2,"a":[3,4]}', 21],
  ['{"a":{"b":[{"c":"it\'s"}]}}', 29],
  ['"text"', 6],
  ['3', 1],
  ['NaN', 3],
  ['-Infinity', 4],
  ['[Infinity]', 5],
  ['"\\ud83d\\ude00 \\ud83d"', 10],
  ['{"k\\n":"v\\u0041"}', 13],
  [' [ 1 , [ ] , { } ] ', 11],
  ['"ctl \u0001"', 10],
  ['1.0e2', 5],
  ['0.1', 3],
  ['100.25', 6],
  ['2.5e-3', 6],
  ['[true,false,null]', 19],
  ['{"10":1,"2":2}', 17],
];

/** What `json.loads` refuses. */
const noJson = [
  ...['', '{', '[1,]', '{"a" 1}', 'tru', '01', '"\\q"', '["\\q1]', '1 2', '{"a":1,}', '"open', '.5', '+1'],
  ...['[1}', '{"a":1]', '{1:2}', '{"a"}', '\\'],
];

test.each(reprs)('repr of %j', (text, length) => {
  expect(measureText(text, 'repr')).toBe(length);
});

describe('repr of JSON that is read', () => {
  test.each(jsonReprs)('%s', (text, length) => {
    expect(measureText(text, 'json_repr')).toBe(length);
  });

  test.each(noJson)('%s is a text', (text) => {
    expect(measureText(text, 'json_repr')).toBe(measureText(text, 'repr'));
  });

  test('however deeply it is nested', () => {
    const depth = 100_000;
    expect(measureText('['.repeat(depth) + ']'.repeat(depth), 'json_repr')).toBe(2 * depth);
    expect(measureText('{"a":'.repeat(depth), 'json_repr')).toBe(5 * depth + 2);
  });
});

test.each([
  ['', 0],
  ['abc', 3],
  ['\u4f60\u597d\ud83d\udc4b\ud83c\udffd', 4],
  ['\ud83d', 1],
  ['\udc4b\ud83d', 2],
])('characters of %j', (text, count) => {
  expect(measureText(text, 'characters')).toBe(count);
});
