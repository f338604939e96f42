import { createHash } from 'node:crypto';
import { BlobText, type MediaPart, type Referring } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { afterAll, describe, expect, test } from 'vitest';
import { range } from '../testing/fake-pool.js';
import { attachmentNames } from './attachment-names.js';
import type { PlannedAttachment } from './plan-attachment.js';

const pool = createPool({ threads: 1 });
afterAll(() => pool.close());

const bytes = Buffer.from('something that is no image at all. '.repeat(400));
const base64 = bytes.toString('base64');

function planned(media: MediaPart | undefined, payload: Referring = []): PlannedAttachment {
  return { message: 0, role: 'user', countable: -1, payloadBytes: 0, payload, media };
}

const namesOf = (...attachments: PlannedAttachment[]) => attachmentNames(pool, attachments, {});

const file = (data: string, more: Omit<MediaPart, 'data'> = {}) => planned({ ...more, data: range(data) });

describe('the same', () => {
  const uri = `data:image/png;base64,${base64}`;
  test.each([
    ['file under another type', file(uri), file(`data:application/pdf;base64,${base64}`)],
    ['file without a type', file(uri), file(base64)],
    ['file with line breaks', file(uri), file(base64.replace(/.{76}/g, '$&\r\n'))],
    ['file without padding', file(uri), file(base64.replaceAll('=', ''))],
    ['file of a known text', file(base64), file(base64)],
    ['short file', planned({ data: 'YWJj' }), planned({ data: 'data:text/plain;base64,YWJj' })],
    ['URL', planned({ reference: 'https://a.org/1' }), planned({ reference: range('https://a.org/1') })],
    ['part', planned(undefined, ['{"type":"x"}']), planned(undefined, [range('{"type":"x"}')])],
  ])('%s', async (_, one, other) => {
    const [name, ...others] = await namesOf(one, other, file('data:image/png;base64,YQ=='));
    expect(name).toEqual(expect.any(String));
    expect(others[0]).toBe(name);
    expect(others[1]).not.toBe(name);
  });

  test('file in a text whose digest is known is not read', async () => {
    const given = [range(base64), range(base64), range(base64)];
    const digests = new Map(given.map((text) => [text, 'a digest']));
    const closed = undefined as unknown as typeof pool;
    const attachments = given.map((data, i) => planned({ data, ...(i === 2 && { detail: 'low' }) }));
    const [one, another, closer] = await attachmentNames(closed, attachments.slice(0, 2), { digests });
    expect([one, closer]).toEqual([another, undefined]);
    const names = await attachmentNames(pool, [...attachments, file(`data:a/b;base64,${base64}`)], {
      digests,
    });
    expect(names[0]).toBe(names[3]);
    expect(names[2]).not.toBe(names[0]);
  });

  test('file by digest and in the request', async () => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const apart = planned({ data: new BlobText({ sha256, byteLength: bytes.length }, 'data:a/b;base64,') });
    const names = await namesOf(apart, file(uri));
    expect(names[1]).toBe(names[0]);
  });
});

describe('not the same', () => {
  const other = Buffer.from(bytes);
  other[bytes.length - 1] = 0x21;
  test.each([
    ['files that differ in their last byte', file(base64), file(other.toString('base64'))],
    ['a file that is looked at more closely', file(base64), file(base64, { detail: 'low' })],
    ['URLs', planned({ reference: 'https://a.org/1' }), planned({ reference: 'https://a.org/2' })],
    ['texts that are no base64', file('data:a/b;base64,****'), file('data:a/b;base64,****')],
    ['parts', planned(undefined, ['{"a":1}']), planned(undefined, ['{"a":2}'])],
  ])('%s', async (_, one, another) => {
    const [name, second] = await namesOf(one, another);
    expect(second === undefined || second !== name).toBe(true);
  });
});
