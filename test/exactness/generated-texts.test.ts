import { ENCODING_NAMES } from '@preflight/pool';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startParts } from '../harness/in-process.js';
import { oracleCount } from '../harness/oracle.js';
import { runs } from '../harness/runs.js';
import { mixed, TEXT_KINDS } from '../harness/seeded-texts.js';
import { texts } from '../property/conversations.js';

const { pool } = startParts({ threads: 2 });

const anyText = fc.oneof(
  texts,
  fc
    .tuple(fc.constantFrom(...Object.values(TEXT_KINDS), mixed), fc.integer({ min: 0, max: 8_000 }), fc.nat())
    .map(([make, characters, seed]) => make(characters, seed)),
);

test('many texts at a time count as tiktoken counts each of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ENCODING_NAMES),
      fc.array(anyText, { maxLength: 20 }),
      async (encoding, list) => {
        const counts = await pool.countAll(
          encoding,
          list.map((text) => [text]),
        );
        expect([...counts]).toEqual(list.map((text) => oracleCount(encoding, text)));
      },
    ),
    runs(40),
  );
});

test('a cut keeps a prefix in whole characters that its tokens spell', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.integer({ min: 0, max: 400 }), async (text, maxTokens) => {
      const kept = await pool.counter('o200k_base').cut(text, maxTokens);
      if (oracleCount('o200k_base', text) <= maxTokens) {
        expect(kept).toBe(text);
        return;
      }
      expect(text.toWellFormed().startsWith(kept)).toBe(true);
      expect(kept.isWellFormed()).toBe(true);
    }),
    runs(120),
  );
});
