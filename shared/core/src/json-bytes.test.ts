import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesWithinJson, tailBytesWithinJson, utf8JsonBytes } from './json-bytes.js';

const texts = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '中', '😀'),
  maxLength: 30,
});
const written = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

test('a text has as many bytes as JSON.stringify writes between the quotes', () => {
  fc.assert(fc.property(texts, (text) => utf8JsonBytes(Buffer.from(text)) === written(text)));
});

test('what is within a limit are whole characters of either end, and the next would be too many', () => {
  fc.assert(
    fc.property(texts, fc.nat(60), (text, limit) => {
      const bytes = Buffer.from(text);
      const points = [...text];
      const head = bytes.subarray(0, bytesWithinJson(bytes, limit)).toString();
      const tail = bytes.subarray(bytes.length - tailBytesWithinJson(bytes, limit)).toString();
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      for (const [end, next] of [
        [head, head + (points[[...head].length] ?? '')],
        [tail, (points.at(-1 - [...tail].length) ?? '') + tail],
      ] as const) {
        expect(written(end)).toBeLessThanOrEqual(limit);
        if (end !== text) expect(written(next)).toBeGreaterThan(limit);
      }
    }),
  );
});
