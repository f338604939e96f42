import { expect, test } from 'vitest';
import { hasControlByte } from './control-bytes.js';

const WINDOW_BYTES = 64 * 1024;

const shared = (length: number) => Buffer.from(new SharedArrayBuffer(length));

test('every byte below a space is a control character, and none above', () => {
  for (let byte = 0; byte < 256; byte += 1)
    for (const length of [1, 15, 64, 200])
      expect(
        hasControlByte(
          shared(length)
            .fill('x')
            .fill(byte, length - 1),
        ),
      ).toBe(byte < 0x20);
});

test.each([0, 1, 63, 64, 65, 130, WINDOW_BYTES, WINDOW_BYTES + 1, 2 * WINDOW_BYTES + 100])(
  'it is found in %i bytes wherever it stands, and nothing of what was there before',
  (length) => {
    const bytes = shared(length).fill('x');
    expect(hasControlByte(bytes)).toBe(false);
    const places = [0, 1, 62, 63, 64, length >> 1, WINDOW_BYTES - 1, WINDOW_BYTES, length - 2, length - 1];
    for (const at of places.filter((place) => place >= 0 && place < length)) {
      bytes[at] = 0x1f;
      expect(hasControlByte(bytes)).toBe(true);
      bytes[at] = 0x78;
      expect(hasControlByte(bytes.subarray(0, at))).toBe(false);
    }
  },
);
