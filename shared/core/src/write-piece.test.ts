import { describe, expect, it } from 'vitest';
import { writePiece, writePieceSteps } from './write-piece.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function write(text: string, as: 'json' | 'base64'): string | undefined {
  const written = writePiece({ as }, encoder.encode(text));
  return written && decoder.decode(written);
}

describe('json', () => {
  it.each([
    ['', ''],
    ['plain /text~', 'plain /text~'],
    ['"\\\b\f\n\r\t', '\\"\\\\\\b\\f\\n\\r\\t'],
    ['\u0000\u001f\u007f\u0080', '\\u0000\\u001f\\u007f\\u0080'],
    ['résumé 日本', 'r\\u00e9sum\\u00e9 \\u65e5\\u672c'],
    ['\u07ff\u0800\uffff', '\\u07ff\\u0800\\uffff'],
    ['a📄\u{10ffff}z', 'a\\ud83d\\udcc4\\udbff\\udfffz'],
  ])('%j', (text, expected) => {
    expect(write(text, 'json')).toBe(expected);
    expect(JSON.parse(`"${expected}"`)).toBe(text);
  });

  it('agrees with JSON.stringify on every character that both escape alike', () => {
    const text = Array.from({ length: 0x7f }, (_, unit) => String.fromCharCode(unit)).join('');
    expect(`"${write(text, 'json')}"`).toBe(JSON.stringify(text));
  });
});

describe('base64', () => {
  it.each([
    ['', ''],
    ['AAAA', 'AAAA'],
    ['QQ==', 'QQ=='],
    ['QUI=', 'QUI='],
    ['QQ', 'QQ=='],
    ['QUI', 'QUI='],
    ['QR==', 'QQ=='],
    ['QUJ', 'QUI='],
    ['QQ=', 'QQ=='],
    ['QQ====', 'QQ=='],
    [' Q U\r\nJ D ', 'QUJD'],
    ['-_-_', '+/+/'],
    ['QQ==\n', 'QQ=='],
    ['====', ''],
  ])('%j is %j', (text, expected) => {
    expect(write(text, 'base64')).toBe(expected);
    expect(Buffer.from(text, 'base64').toString('base64')).toBe(expected);
  });

  it.each(['A', 'AAAAA', 'A===', 'QQ==QQ==', 'QQ=Q', 'QU*D', 'data:;base64,QUJD', 'QUJé', '\u0000AAAA'])(
    '%j is no base64',
    (text) => {
      expect(write(text, 'base64')).toBeUndefined();
    },
  );

  it('gives what decoding and encoding gives, whatever the length', () => {
    for (let length = 0; length < 50; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 89 + length) & 255);
      const canonical = Buffer.from(bytes).toString('base64');
      const lenient = Buffer.from(bytes)
        .toString('base64url')
        .replace(/(.{7})/g, '$1\r\n');
      expect(write(canonical, 'base64')).toBe(canonical);
      expect(write(lenient, 'base64')).toBe(canonical);
    }
  });
});

describe('megabytes', () => {
  const canonical = encoder.encode(Buffer.alloc(24_000_000, 7).toString('base64'));

  it.each(['json', 'base64'] as const)('of %s that need no writing come back as they are', (as) => {
    const shared = new Uint8Array(new SharedArrayBuffer(canonical.length + 1), 1);
    shared.set(canonical);
    expect(writePiece({ as }, shared)).toBe(shared);
  });

  it.each([
    ['json', 0x00],
    ['json', 0x7f],
    ['base64', 0x20],
    ['base64', 0x2d],
  ] as const)('of %s with all bytes %i are linear', (as, byte) => {
    const started = performance.now();
    writePiece({ as }, new Uint8Array(4_000_000).fill(byte));
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('are written in steps, whatever stands where one ends', () => {
    const stepsOf = (as: 'json' | 'base64', text: string) => {
      const steps = writePieceSteps({ as }, encoder.encode(text));
      let count = 0;
      let step = steps.next();
      for (; !step.done; step = steps.next()) count += 1;
      return { count, written: Buffer.from(step.value ?? []).toString() };
    };
    for (const shift of ['', 'a', 'ab', 'abc']) {
      const text = `${shift}${'é日😀"'.repeat(300_000)}`;
      const { count, written } = stepsOf('json', text);
      expect(count).toBeGreaterThanOrEqual(20);
      expect(JSON.parse(`"${written}"`)).toBe(text);
    }
    const bytes = Buffer.alloc(3_000_001, 'some bytes of a file');
    const wrapped = bytes.toString('base64url').replace(/.{76}/g, '$&\r\n');
    const { count, written } = stepsOf('base64', wrapped);
    expect(count).toBeGreaterThanOrEqual(15);
    expect(written).toBe(bytes.toString('base64'));
    expect(stepsOf('base64', bytes.toString('base64')).count).toBeGreaterThanOrEqual(15);
  });
});
