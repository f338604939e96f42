import { type Countable, TextRange } from '@preflight/core';
import { loadCounter } from '@preflight/tokenizer';
import { describe, expect, test } from 'vitest';
import { chunksOf, groupsOf } from './chunks.js';
import { pack, sizeBytes } from './pack.js';
import { Unpacked } from './unpack.js';

const KIB = 1024;
const counter = await loadCounter('o200k_base');

function range(text: string): TextRange {
  const bytes = Buffer.from(text);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, 0, bytes.length);
}

function textOf(countable: Countable): string {
  return Buffer.from(new Unpacked(pack([countable])).bytes(0).bytes).toString();
}

const prose = 'The quick brown fox, aged 7, jumps over the lazy dog.\n'.repeat(12_000);

describe('chunks', () => {
  test('of small countables are the countables', () => {
    const countables: Countable[] = [['a'], [], ['b', range('c')]];
    const chunks = [...chunksOf(countables, 'o200k_base')];
    expect(chunks.map(({ countable }) => countable)).toEqual(countables);
    expect(chunks.map(({ ofChunks }) => ofChunks)).toEqual([1, 1, 1]);
  });

  test('of a large one cover it in order, and their tokens add up', () => {
    const countable: Countable = ['{"file_data":"', range(prose), '","more":"', range(prose), '"}'];
    const chunks = [...chunksOf([['before'], countable], 'o200k_base')].slice(1);
    expect(chunks.length).toBeGreaterThan(4);
    expect(chunks.every(({ owner, ofChunks }) => owner === 1 && ofChunks === chunks.length)).toBe(true);
    expect(chunks.map((chunk) => textOf(chunk.countable)).join('')).toBe(textOf(countable));
    for (const chunk of chunks) expect(sizeBytes(chunk.countable)).toBeLessThan(513 * KIB);
    const tokens = chunks.map((chunk) => counter.count(textOf(chunk.countable)));
    expect(tokens.reduce((sum, count) => sum + count, 0)).toBe(counter.count(textOf(countable)));
  });

  test('of text that must be rewritten are the whole', () => {
    const countable: Countable = [{ text: range('"'.repeat(600 * KIB)), as: 'json' }];
    expect([...chunksOf([countable], 'o200k_base')]).toHaveLength(1);
  });

  test('of a run without safe points are the whole, and little of it was looked at', () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(2048 * KIB)).fill(0x61);
    const whole = new TextRange(bytes.buffer as SharedArrayBuffer, 0, bytes.length);
    // What is far from every border would be a safe point, had anybody looked.
    for (let border = 256 * KIB; border < bytes.length; border += 256 * KIB) bytes[border - 5000] = 0x20;
    expect([...chunksOf([[whole]], 'o200k_base')]).toHaveLength(1);
    bytes[1024 * KIB - 4000] = 0x20;
    expect([...chunksOf([[whole]], 'o200k_base')].length).toBeGreaterThan(1);
  });
});

describe('groups', () => {
  const sizesOf = (texts: string[]) =>
    [...groupsOf(texts.map((text) => ({ countable: [text] })))].map((group) => group.length);

  test('hold many small texts, but not too many', () => {
    const sizes = sizesOf(Array.from({ length: 10_000 }, (_, i) => `text ${i}`));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4096);
    expect(sizes.length).toBeLessThan(10);
  });

  test('hold one that is large alone', () => {
    expect(sizesOf(['a', 'b'.repeat(300 * KIB), 'c'.repeat(300 * KIB), 'd', 'e'])).toEqual([1, 1, 1, 2]);
  });

  test('are none of nothing', () => {
    expect(sizesOf([])).toEqual([]);
  });
});
