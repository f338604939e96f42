import { describe, expect, it } from 'vitest';
import { ReaderIncrementalCount } from './incremental-count.js';
import { loadCounter } from './load-counter.js';
import { TextGenerator } from './testing/generated-texts.js';
import type { OpenTokenReader } from './token-reader.js';

/** A counter tries to count after so many bytes only; the tests want it to try all the time. */
function eagerly(counter: object, firstAttemptBytes: number): ReaderIncrementalCount {
  return new ReaderIncrementalCount((counter as { reader: OpenTokenReader }).reader, firstAttemptBytes);
}

describe.each([
  ['o200k_base', 'kernel'],
  ['cl100k_base', 'kernel'],
  ['r50k_base', 'kernel'],
  ['o200k_base', 'tiktoken'],
  ['cl100k_base', 'tiktoken'],
] as const)('incremental count with %s by %s', (encoding, engine) => {
  it('is that of the whole, wherever bytes or characters are cut', async () => {
    const counter = await loadCounter(encoding, { engine });
    const generator = new TextGenerator(21);
    for (let i = 0; i < 400; i++) {
      const text = generator.text(30);
      const expected = counter.count(text);
      const bytes = new TextEncoder().encode(text);
      const ofBytes = eagerly(counter, 1 + generator.below(100));
      for (let at = 0; at < bytes.length; ) {
        const next = at + 1 + generator.below(50);
        ofBytes.push(bytes.subarray(at, next));
        at = next;
      }
      const ofCharacters = eagerly(counter, 1 + generator.below(100));
      for (let at = 0; at < text.length; ) {
        const next = at + 1 + generator.below(50);
        ofCharacters.push(text.slice(at, next));
        at = next;
      }
      if (ofBytes.finish() !== expected || ofCharacters.finish() !== expected)
        expect.fail(JSON.stringify(text));
    }
  });
});

it('counts malformed bytes as their decoding, and bytes after strings', async () => {
  const counter = await loadCounter('o200k_base');
  const count = counter.startCount();
  count.push(Uint8Array.of(0xff, 0xe4, 0xb8));
  count.push('!');
  count.push(Uint8Array.of(0xad));
  expect(count.finish()).toBe(counter.count('\ufffd\ufffd!\ufffd'));
  expect(counter.startCount().finish()).toBe(0);
});
