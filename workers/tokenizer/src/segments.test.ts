import { describe, expect, it } from 'vitest';
import { segmentEnds } from './segments.js';

/** mulberry32 as bytes of base64 letters. */
function base64(seed: number, lengthBytes: number): Uint8Array {
  const letters = new TextEncoder().encode(
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  );
  let state = seed >>> 0;
  return Uint8Array.from({ length: lengthBytes }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return letters[((t ^ (t >>> 14)) >>> 0) % 64] as number;
  });
}

function segments(bytes: Uint8Array): string[] {
  let start = 0;
  return segmentEnds(bytes, 'o200k').map((end) => {
    const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
    start = end;
    return text;
  });
}

const text = base64(1, 2_000_000);

describe('segmentEnds', () => {
  it('covers the text with segments of bounded size', () => {
    const sizes = segments(text).map((segment) => segment.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(text.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(60 * 1024);
    expect(sizes.length).toBeGreaterThan(10);
  });

  it('keeps all other segments when a text grows at its end or changes in one spot', () => {
    const known = new Set(segments(text));
    const fresh = (bytes: Uint8Array) => segments(bytes).filter((segment) => !known.has(segment)).length;
    const insert = (at: number) => Buffer.concat([text.subarray(0, at), base64(2, 1001), text.subarray(at)]);
    expect(fresh(insert(text.length))).toBeLessThanOrEqual(2);
    for (const at of [0, 500_000, 1_234_567]) expect(fresh(insert(at))).toBeLessThanOrEqual(4);
  });

  it('leaves a text without safe splits, a small one and an empty one whole', () => {
    expect(segmentEnds(new Uint8Array(1_000_000).fill(0x61), 'o200k')).toEqual([1_000_000]);
    expect(segmentEnds(text.subarray(0, 1000), 'o200k')).toEqual([1000]);
    expect(segmentEnds(new Uint8Array(0), 'cl100k')).toEqual([0]);
  });
});
