import { describe, expect, test } from 'vitest';
import { bytesOfKey, CountKeys, isDigestKey } from './count-key.js';

const keys = new CountKeys({ encoding: 'o200k_base', vocabularyVersion: '1' });
const digest = Buffer.from('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 'hex');

describe('keys of counts', () => {
  test('a digest gives the same key as bytes and as hexadecimal digits', () => {
    expect(keys.ofDigest(digest)).toBe(keys.ofDigest(digest.toString('hex')));
    expect(keys.ofDigest(new Uint8Array(digest))).toBe(keys.ofDigest(digest));
  });

  test('a digest key is 41 bytes that end with the digest', () => {
    const bytes = bytesOfKey(keys.ofDigest(digest));
    expect(bytes).toHaveLength(41);
    expect(bytes.subarray(9)).toEqual(digest);
  });

  test('what has not the length of a digest is refused', () => {
    expect(() => keys.ofDigest('abc')).toThrow(RangeError);
    expect(() => keys.ofDigest(new Uint8Array(31))).toThrow(RangeError);
  });

  test('texts and digests are told apart, whatever the text', () => {
    expect(isDigestKey(keys.ofDigest(digest))).toBe(true);
    expect(isDigestKey(keys.ofText(digest.toString('latin1')))).toBe(false);
    expect(keys.ofText('')).not.toBe(keys.ofText('d'));
  });
});
