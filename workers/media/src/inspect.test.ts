import { describe, expect, test } from 'vitest';
import { inspect } from './index.js';

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );

const png = (width: number, height: number) => {
  const sides = Buffer.alloc(8);
  sides.writeUInt32BE(width, 0);
  sides.writeUInt32BE(height, 4);
  return Buffer.concat([bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR'), sides, Buffer.alloc(9000)]);
};
const PNG = png(640, 480);
const FACTS = { kind: 'image', widthPx: 640, heightPx: 480, mimeType: 'image/png' };
const base64 = PNG.toString('base64');

describe('a file is read', () => {
  test('from its bytes', () => {
    expect(inspect(PNG, { form: 'bytes' })).toEqual(FACTS);
  });

  test.each([
    ['as base64', base64],
    ['without padding', base64.replace(/=+$/, '')],
    ['in the alphabet of URLs', base64.replaceAll('+', '-').replaceAll('/', '_')],
    ['in lines', base64.replace(/.{76}/g, '$&\r\n')],
    ['after white space', `\n  ${base64}\n`],
    ['from a data URI', `data:image/png;base64,${base64}`],
    ['from a data URI with parameters', `DATA:image/png;name=a.png;BASE64,${base64}`],
    ['from a data URI without base64', `data:image/png,${percent(PNG.subarray(0, 100))}`],
  ])('%s', (_, text) => {
    expect(inspect(Buffer.from(text), { form: 'encoded' })).toEqual(FACTS);
  });

  test('by its bytes, whatever it is said to be', () => {
    expect(inspect(PNG, { form: 'bytes', kind: 'pdf' })).toEqual(FACTS);
    expect(inspect(Buffer.from(`data:audio/wav;base64,${base64}`), { form: 'encoded' })).toEqual(FACTS);
  });
});

describe('nobody can read', () => {
  test.each([
    ['no bytes', bytes(), 'unknown_type'],
    ['bytes of no type', bytes('plain words'), 'unknown_type'],
    ['a header that breaks off', PNG.subarray(0, 20), 'damaged'],
    ['no width', png(0, 480), 'damaged'],
    ['two thousand million pixels a side', png(2 ** 31 - 1, 2 ** 31 - 1), 'too_large'],
    ['a picture that has begun before its size was told', bytes('\xff\xd8\xff\xda', [0, 8]), 'damaged'],
    ['segments that do not end', bytes('\xff\xd8\xff\xe0', [0, 1]), 'damaged'],
    [
      'a million segments',
      bytes('\xff\xd8', ...Array.from({ length: 9000 }, () => '\xff\xe0\0\x02')),
      'damaged',
    ],
  ])('%s', (_, file, reason) => {
    expect(inspect(file, { form: 'bytes', kind: 'image' })).toEqual({
      kind: 'unreadable',
      as: 'image',
      reason,
    });
  });

  test('what is no base64', () => {
    const broken = `${base64.slice(0, 8)}!${base64.slice(9)}`;
    expect(inspect(Buffer.from(broken), { form: 'encoded', kind: 'image' })).toMatchObject({
      reason: 'no_base64',
    });
  });
});

function percent(file: Buffer): string {
  return [...file].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
