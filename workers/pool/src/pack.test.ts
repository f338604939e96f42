import { type Countable, TextRange } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { longestPieceBytes, pack, sizeBytes, transferables } from './pack.js';
import { Unpacked } from './unpack.js';

function range(text: string, before = ''): TextRange {
  const bytes = Buffer.from(before + text);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, Buffer.byteLength(before), bytes.length);
}

function textsOf(countables: readonly Countable[]): string[] {
  const unpacked = new Unpacked(pack(countables));
  return countables.map((_, i) => Buffer.from(unpacked.bytes(i).bytes).toString());
}

describe('what is packed comes out in the thread', () => {
  test('strings, ranges and both together', () => {
    const long = range('Ωmega', 'not this');
    expect(textsOf([['a'], [], [long], ['<', long, '>', 'ü'], ['']])).toEqual([
      'a',
      '',
      'Ωmega',
      '<Ωmega>ü',
      '',
    ]);
  });

  test('more strings than the first buffer holds', () => {
    const texts = Array.from({ length: 3000 }, (_, i) => `${i} €`.repeat(1 + (i % 5)));
    expect(textsOf(texts.map((text) => [text]))).toEqual(texts);
  });

  test('lone surrogates as U+FFFD, which is how they count', () => {
    expect(textsOf([['a\ud800b'], ['\udc00']])).toEqual(['a\uFFFDb', '\uFFFD']);
  });

  test('written as they are counted', () => {
    const countable: Countable = [
      'data:;base64,',
      { text: 'YQ', as: 'base64' },
      { text: range('"ü'), as: 'json' },
    ];
    expect(textsOf([countable])).toEqual(['data:;base64,YQ==\\"\\u00fc']);
  });

  test('with the position of what is no base64', () => {
    const unpacked = new Unpacked(pack([['a'], [{ text: '*', as: 'base64' }]]));
    expect(() => unpacked.bytes(1)).toThrow(
      expect.objectContaining({ code: 'invalid_base64', params: { item: 1 } }),
    );
  });
});

test('bytes that need no rewriting are views of their own memory, and said to be plain', () => {
  const plain = range('YWJj');
  const unpacked = new Unpacked(
    pack([[{ text: plain, as: 'base64' }], [{ text: range('YWI'), as: 'base64' }]]),
  );
  expect(unpacked.bytes(0).isPlain).toBe(true);
  expect(unpacked.bytes(0).bytes.buffer).toBe(plain.buffer);
  expect(unpacked.bytes(1).isPlain).toBe(false);
});

test('one buffer of many ranges travels once, and nothing shared is transferred', () => {
  const body = range('abcdef');
  const parts = [0, 2, 4].map((at) => [new TextRange(body.buffer, at, at + 2)]);
  const packed = pack([...parts, ['x']]);
  expect(packed.sources.filter((source) => source === body.buffer)).toHaveLength(1);
  expect(transferables(packed)).toEqual([packed.sources[0]]);
});

test('sizes are those before rewriting', () => {
  const countable: Countable = ['abc', range('ü'), { text: 'YQ', as: 'base64' }];
  expect(sizeBytes(countable)).toBe(7);
  expect(longestPieceBytes(pack([countable, ['abcd']]))).toBe(4);
  expect(longestPieceBytes(pack([]))).toBe(0);
});
