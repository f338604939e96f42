import { type Piece, TextRange } from '@preflight/core';
import { expect, test, vi } from 'vitest';
import { pack } from './pack.js';
import { Unpacked } from './unpack.js';

function range(text: string): TextRange {
  const bytes = Buffer.from(text);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, 0, bytes.length);
}

const file = Buffer.alloc(1_000_000, 'a file');
const wrapped: Piece = {
  text: range(file.toString('base64').replace(/.{76}/g, '$&\n')),
  as: 'base64',
};

test('what is rewritten can be given up between steps', () => {
  const onStep = vi.fn();
  const texts = new Unpacked(pack([[wrapped]]), onStep);
  expect(Buffer.from(texts.bytes(0).bytes).toString()).toBe(file.toString('base64'));
  expect(onStep.mock.calls.length).toBeGreaterThanOrEqual(5);

  const giveUp = () => {
    throw new Error('given up');
  };
  expect(() => new Unpacked(pack([[wrapped]]), giveUp).bytes(0)).toThrow('given up');
});

test('what is as it should be stays a view', () => {
  const text = range('plain');
  const { bytes, isPlain } = new Unpacked(pack([[text]])).bytes(0);
  expect([bytes.buffer, isPlain]).toEqual([text.buffer, true]);
});

test('pieces are joined', () => {
  const { bytes, isPlain } = new Unpacked(pack([['a"', { text: '"', as: 'json' }, range('b')]])).bytes(0);
  expect([Buffer.from(bytes).toString(), isPlain]).toEqual(['a"\\"b', false]);
});
