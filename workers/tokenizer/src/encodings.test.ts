import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { ENCODING_NAMES, ENCODINGS } from './encodings.js';
import { importEncodingData } from './tiktoken/encoding-data.js';

const shipped = createRequire(import.meta.url)('tiktoken/registry.json') as Record<string, unknown>;

describe('encodings', () => {
  it('are all that tiktoken ships, and o200k_harmony', () => {
    expect([...ENCODING_NAMES].sort()).toEqual([...Object.keys(shipped), 'o200k_harmony'].sort());
  });

  it.each(ENCODING_NAMES)('%s has the vocabulary that its version names', async (encoding) => {
    const { pat_str, bpe_ranks } = await importEncodingData(encoding);
    const digest = createHash('sha256').update(`${pat_str}\n${bpe_ranks}`).digest('hex');
    expect(ENCODINGS[encoding].vocabularyVersion).toBe(digest.slice(0, 12));
  });

  it('share a pattern within a family', async () => {
    const patterns = new Map<string, Set<string>>();
    for (const encoding of ENCODING_NAMES) {
      const { family } = ENCODINGS[encoding];
      const { pat_str } = await importEncodingData(encoding);
      patterns.set(family, (patterns.get(family) ?? new Set()).add(pat_str));
    }
    for (const distinct of patterns.values()) expect(distinct.size).toBe(1);
  });
});
