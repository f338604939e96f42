import { parseBody } from '@preflight/body';
import type { JsonObject, TextRange } from '@preflight/core';
import { ArrivingTexts } from '@preflight/pool';
import { describe, expect, test } from 'vitest';
import { payloadOf } from './payload.js';
import { watchPayloads } from './watch-payloads.js';

const base64 = (lengthBytes: number) => 'QUJD'.repeat(lengthBytes / 4);

/** What was digested while the body came in chunks, as places in it. */
async function watched(
  body: string,
  chunkBytes: number,
  memory = Buffer.from(new SharedArrayBuffer(body.length)),
) {
  const digested: { start: number; end: number; isWhole: boolean }[] = [];
  const arriving = new ArrivingTexts(async ({ start }, _firstLeaf, arrived) => {
    const { isWhole } = arrived;
    digested.push({ start, end: start + arrived.lengthBytes, isWhole });
    return ['ab'.repeat(32)];
  });
  const tell = watchPayloads(arriving)(memory);
  for (let at = 0; at < body.length; at += chunkBytes) {
    memory.write(body.slice(at, at + chunkBytes), at, 'latin1');
    tell(Math.min(body.length, at + chunkBytes));
    await new Promise(setImmediate);
  }
  return { digested, memory };
}

describe.each([64 * 1024, 65_521, 1_000_000])('in chunks of %d bytes', (chunkBytes) => {
  test.each([
    ['a data URI', `data:application/pdf;base64,${base64(400_000)}`],
    ['base64 alone', base64(400_000)],
  ])('%s is digested from where its payload begins, to its end', async (_, text) => {
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ content: text }], last: 'one' });
    const { digested, memory } = await watched(body, chunkBytes);
    const { messages } = parseBody(memory) as { messages: [{ content: TextRange }] };
    const { start, end } = payloadOf(messages[0].content);
    for (const each of digested) expect(each.start).toBe(start);
    if (chunkBytes < body.length) expect(digested.at(-1)).toEqual({ start, end, isWhole: true });
    else expect(digested).toEqual([]);
  });
});

describe('is not digested', () => {
  test.each([
    ['prose', { text: 'Some words, and more of them. '.repeat(20_000) }],
    ['many short texts', { texts: Array.from({ length: 20_000 }, (_, i) => `QUJD${i}`) }],
    ['a short payload', { a: base64(100_000), b: base64(100_000) }],
  ])('%s', async (_, body) => {
    expect((await watched(JSON.stringify(body as JsonObject), 65_521)).digested).toEqual([]);
  });
});

test('a payload behind another one is digested as well', async () => {
  const { digested } = await watched(JSON.stringify([base64(300_000), base64(300_000)]), 65_521);
  expect(new Set(digested.map(({ start }) => start))).toEqual(new Set([2, 300_005]));
});
