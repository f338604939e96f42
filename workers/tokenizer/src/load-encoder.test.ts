import { describe, expect, it } from 'vitest';
import { ENCODING_NAMES, type EncodingName, UnknownEncodingError } from './encodings.js';
import { loadCounter } from './load-counter.js';
import { loadEncoder } from './load-encoder.js';
import { TextGenerator } from './testing/generated-texts.js';
import { oracleOf } from './testing/oracle.js';

const TEXTS = [
  '',
  'hello world',
  ' \n\n  x',
  'Grüße 👩‍👩‍👧, 你好',
  '<|endoftext|>',
  'a\ud800b',
  '\ufeffx',
  "don't 1234567",
];

describe.each(ENCODING_NAMES)('%s', (encoding) => {
  it('gives the tokens of tiktoken', async () => {
    const encoder = await loadEncoder(encoding);
    const oracle = oracleOf(encoding);
    const generator = new TextGenerator(7);
    const generated = Array.from({ length: 200 }, () => generator.text(1 + generator.below(300)));
    for (const text of [...TEXTS, ...generated])
      expect([...encoder.encode(text)], JSON.stringify(text)).toEqual([...oracle.encode(text)]);
  });
});

it('gives as many tokens as are counted, however long a piece is', async () => {
  const encoder = await loadEncoder('o200k_base');
  const counter = await loadCounter('o200k_base');
  for (const text of ['a', 'ab', 'zxqjk', ' ', '中', '\r\n'].map((letters) =>
    letters.repeat(100_000 / letters.length),
  ))
    expect(encoder.encode(text)).toHaveLength(counter.count(text));
});

it('is loaded once, and of encodings that there are', async () => {
  expect(await loadEncoder('cl100k_base')).toBe(await loadEncoder('cl100k_base'));
  await expect(loadEncoder('none' as EncodingName)).rejects.toThrow(UnknownEncodingError);
});
