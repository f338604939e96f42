import { CUT_SIDES, cutContent, finish, NOTE_CEILING_TOKENS } from '@preflight/core';
import { loadCounter, planChunks } from '@preflight/tokenizer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import { makeCut } from './make-cut.js';
import { TextMeter } from './text-meter.js';

const counter = await loadCounter('o200k_base');
const meter = new TextMeter(counter);

const words = 'river stone lamp cloud '.repeat(100);
const emoji = 'ab🎉c 👨‍👩‍👧é '.repeat(40);
const texts = fc.constantFrom(words, emoji, `${words}${emoji}`);

function cut(text: string, keepTokens: number, side: (typeof CUT_SIDES)[number]) {
  const given = [{ bytes: Buffer.from(text), checkpoints: [] }];
  const made = makeCut(meter, { type: 'cut', index: 2, keepTokens, side }, given);
  const [left] = finish(cutContent([text], made)) as [string];
  return { made, left };
}

describe('a cut at any side', () => {
  test('is counted afresh, keeps whole characters of the input, and about as much as was asked for', () => {
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 2, max: 200 }),
        fc.constantFrom(...CUT_SIDES),
        (text, keep, side) => {
          const { made, left } = cut(text, keep, side);
          expect(made.contentTokens).toBe(counter.count(left));
          expect(left.isWellFormed() && !left.includes('\ufffd')).toBe(true);
          expect(made.contentTokens).toBeLessThanOrEqual(keep + 10);
          const [head = '', tail = ''] = left.split(/\n?\.\.\. \[Contents truncated!\]\n?/);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          if (side === 'head') expect(tail).toBe('');
          else expect(tail).not.toBe('');
          expect(head === '').toBe(side === 'tail');
        },
      ),
      runs(200),
    );
  });

  test('of the middle keeps as much of the one end as of the other', () => {
    const { left } = cut(words, 100, 'middle');
    const [head = '', tail = ''] = left.split('\n... [Contents truncated!]\n');
    expect([counter.count(head), counter.count(tail)]).toEqual([50, 50]);
  });

  test('is the same with checkpoints', () => {
    const bytes = Buffer.from(words.repeat(200));
    const ends = planChunks(bytes, 'o200k', 16 * 1024).map(({ end }) => end);
    const checkpoints = ends.map((endBytes) => ({
      endBytes,
      tokens: counter.count(bytes.subarray(0, endBytes)),
    }));
    for (const side of CUT_SIDES) {
      const step = { type: 'cut', index: 0, keepTokens: 5000, side } as const;
      const plain = makeCut(meter, step, [{ bytes, checkpoints: [] }]);
      expect(makeCut(meter, step, [{ bytes, checkpoints }])).toEqual(plain);
    }
  });
});

test('a note is counted, and is short', () => {
  for (const elidedTokens of [31, 2_000_000_000]) {
    const step = { type: 'cut', index: 1, keepTokens: 0, elidedTokens } as const;
    const made = makeCut(meter, step, []);
    expect(made.contentTokens).toBe(counter.count(finish(cutContent(['x'], made))[0] as string));
    expect(made.contentTokens).toBeLessThan(NOTE_CEILING_TOKENS);
  }
});
