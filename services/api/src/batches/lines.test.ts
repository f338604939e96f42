import { expect, test } from 'vitest';
import { allOf } from '../../../../test/harness/batches.js';
import { LineMemory } from './line-memory.js';
import { linesOf } from './lines.js';

const memory = new LineMemory(1_000);

async function* chunksOf(bytes: Uint8Array, sizeBytes: number) {
  for (let at = 0; at < bytes.length; at += sizeBytes) yield bytes.subarray(at, at + sizeBytes);
}

async function read(text: string, { sizeBytes = 3, limitBytes = 100 } = {}) {
  const lines = await allOf(linesOf(chunksOf(Buffer.from(text), sizeBytes), { limitBytes, memory }));
  return lines.map(({ number, offsetBytes, bytes }) => [number, offsetBytes, bytes?.toString()]);
}

test.each([1, 2, 3, 7, 1000])('in chunks of %d bytes they are the same', async (sizeBytes) => {
  expect(await read('first\n\nthird €\r\n \t\r\nlast', { sizeBytes })).toEqual([
    [1, 0, 'first'],
    [3, 7, 'third €\r'],
    [5, 22, 'last'],
  ]);
});

test.each(['', '\n', '\n\n \n'])('there are none in %j', async (text) => {
  expect(await read(text)).toEqual([]);
});

test('one that is too long is not kept, and the others are', async () => {
  const long = 'x'.repeat(11);
  expect(await read(`${long}\n1234567890\n${long}`, { limitBytes: 10 })).toEqual([
    [1, 0, undefined],
    [2, 12, '1234567890'],
    [3, 23, undefined],
  ]);
});

test('the stream is read no further than what is asked for', async () => {
  let given = 0;
  async function* endless() {
    for (;;) yield Buffer.from(`line ${given++}\n`);
  }
  const lines = linesOf(endless(), { limitBytes: 100, memory });
  for (let i = 0; i < 3; i++) await lines.next();
  expect(given).toBe(3);
});
