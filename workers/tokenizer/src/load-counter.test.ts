import { describe, expect, it } from 'vitest';
import { ENCODING_NAMES, type EncodingName, UnknownEncodingError } from './encodings.js';
import { loadCounter } from './load-counter.js';

describe('loadCounter', () => {
  it('loads an encoding once', async () => {
    const [first, second] = await Promise.all([loadCounter('r50k_base'), loadCounter('r50k_base')]);
    expect(first).toBe(second);
    expect(first).toMatchObject({ encoding: 'r50k_base', engine: 'kernel' });
    const audited = await loadCounter('r50k_base', { engine: 'tiktoken' });
    expect(audited).toMatchObject({ encoding: 'r50k_base', engine: 'tiktoken' });
  });

  it.each(['o300k_base', 'toString', ''])('refuses %j and names what is known', async (name) => {
    const refusal = await loadCounter(name as EncodingName).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UnknownEncodingError);
    expect(refusal).toMatchObject({
      code: 'unknown_encoding',
      encoding: name,
      knownEncodings: ENCODING_NAMES,
    });
  });
});

describe('a counter', async () => {
  const counter = await loadCounter('o200k_base');

  it('counts nothing for nothing', () => {
    expect(counter.count('')).toBe(0);
    expect(counter.count(new Uint8Array())).toBe(0);
  });

  it('reads text of special tokens as ordinary text', () => {
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('reads malformed bytes as their decoding', () => {
    const malformed = Uint8Array.of(0x61, 0xc3, 0x28, 0xed, 0xa0, 0xbd, 0xf0, 0x9f, 0x62);
    expect(counter.count(malformed)).toBe(counter.count(new TextDecoder().decode(malformed)));
  });

  it('reads ranges of shared buffers', () => {
    const text = '\ufeffshared caf\u00e9 '.repeat(40) + 'a'.repeat(400);
    const source = new TextEncoder().encode(text);
    const shared = new Uint8Array(new SharedArrayBuffer(source.length + 2), 1, source.length);
    shared.set(source);
    expect(counter.count(shared)).toBe(counter.count(text));
    expect(counter.cut(shared, 2)).toEqual(new TextEncoder().encode(counter.cut(text, 2)));
  });

  it.each(['word '.repeat(5000), 'a'.repeat(50_000)])('stops counting behind a limit', (text) => {
    const tokens = counter.count(text);
    for (const limit of [tokens, tokens + 1])
      expect(counter.countUpTo(text, limit)).toEqual({ tokens, exceeded: false });
    for (const limit of [-1, 0, 10, tokens - 1]) {
      const limited = counter.countUpTo(text, limit);
      expect(limited.exceeded).toBe(true);
      expect(limited.tokens).toBeGreaterThan(limit);
      expect(limited.tokens).toBeLessThanOrEqual(tokens);
    }
  });
});
