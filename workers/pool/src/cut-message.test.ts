import { cutContent, finish, MARK } from '@preflight/core';
import { loadCounter, planChunks } from '@preflight/tokenizer';
import { describe, expect, test } from 'vitest';
import type { Checkpoints } from './checkpoints.js';
import { cutMessage } from './cut-message.js';
import { TextMeter } from './text-meter.js';

const counter = await loadCounter('o200k_base');
const meter = new TextMeter(counter);
const bytesOf = (texts: readonly string[]) =>
  texts.map((text) => ({ bytes: Buffer.from(text), checkpoints: [] as Checkpoints }));

/** The texts after the cut, and the cut. */
function cut(texts: readonly string[], keepTokens: number) {
  const made = cutMessage(meter, 7, bytesOf(texts), keepTokens);
  return { made, kept: finish(cutContent(texts, made)) as string[] };
}

describe('cutMessage', () => {
  test('keeps the first tokens and puts the marker behind them', () => {
    const text = 'one two three four five';
    const { made, kept } = cut([text], 2);
    expect(kept).toEqual([`${counter.cut(text, 2)}${MARK}`]);
    expect(made).toMatchObject({ index: 7, textIndex: 0 });
  });

  test('counts what is left afresh', () => {
    const texts = ['red green', ' blue yellow'.repeat(50), 'never seen'];
    for (let keepTokens = 1; keepTokens < 60; keepTokens++) {
      const { made, kept } = cut(texts, keepTokens);
      const recount = kept.reduce((sum, text) => sum + counter.count(text), 0);
      expect(made.contentTokens).toBe(recount);
    }
  });

  test('keeps texts before the cut whole', () => {
    const first = 'red green blue';
    const { kept } = cut([first, ' yellow pink black'], counter.count(first) + 1);
    expect(kept).toEqual([first, ` yellow${MARK}`]);
  });

  test('cuts the text in which the tokens end exactly, and drops what is behind it', () => {
    const first = 'red green blue';
    expect(cut([first, 'more'], counter.count(first)).kept).toEqual([first + MARK]);
  });

  test('cuts the last text even if it has fewer tokens', () => {
    expect(cut(['short'], 100).kept).toEqual([`short${MARK}`]);
  });

  test('puts one marker in the place of several that a text came with', () => {
    const text = `${'red green '.repeat(20)}${MARK}${MARK}${MARK}`;
    const { kept } = cut([text], counter.count(text) - 1);
    expect(kept).toEqual([`${'red green '.repeat(20)}${MARK}`]);
    const inside = `red${MARK}${MARK} green`;
    for (let keepTokens = 1; keepTokens < counter.count(inside); keepTokens++)
      expect(cut([inside], keepTokens).kept[0]?.endsWith(MARK + MARK)).toBe(false);
  });

  test('puts one marker in the place of another, wherever in it or before it the tokens end', () => {
    const first = `red green blue${MARK}`;
    const tokens = counter.count(first);
    for (let keepTokens = 1; keepTokens <= tokens; keepTokens++) {
      for (const texts of [[first, ' yellow'.repeat(40)], ['whole', first, 'gone'], [first]]) {
        const before = texts[0] === 'whole' ? 1 : 0;
        const { made, kept } = cut(texts, keepTokens + before);
        const last = kept.at(-1) ?? '';
        expect(last.split(MARK)).toEqual([expect.stringMatching(/^(red)?( green)?( blue)?$/), '']);
        expect(made.contentTokens).toBe(kept.reduce((sum, text) => sum + counter.count(text), 0));
      }
    }
    expect(cut([first, 'gone'], tokens).kept).toEqual([first]);
  });

  test('does not read what is not kept', () => {
    const read: number[] = [];
    const watched = {
      ...counter,
      count: (text: Uint8Array) => counter.count(text),
      cutBytes: (text: Uint8Array, maxTokens: number) => counter.cutBytes(text, maxTokens),
      countUpTo: (text: Uint8Array, limitTokens: number) => {
        read.push(limitTokens);
        return counter.countUpTo(text, limitTokens);
      },
    } as typeof counter;
    cutMessage(new TextMeter(watched), 0, bytesOf(['word '.repeat(10_000), 'x', 'y']), 10);
    expect(read).toEqual([9]);
  });

  test('a message without texts is a bug', () => {
    expect(() => cutMessage(meter, 3, [], 10)).toThrow(RangeError);
  });
});

describe('cutMessage with checkpoints', () => {
  const text = Array.from(
    { length: 400 },
    (_, i) => `Row ${i * 7}: naïve "value" 漢字 ${'x'.repeat(i % 9)}\n`,
  ).join('');
  const bytes = Buffer.from(text);
  const checkpoints = segmentsOf(bytes);

  /** Every safe split some 500 bytes apart, as if it were the end of a segment. */
  function segmentsOf(whole: Buffer): Checkpoints {
    const ends = planChunks(whole, 'o200k', 500).map(({ end }) => end);
    return ends.map((endBytes) => ({ endBytes, tokens: counter.count(whole.subarray(0, endBytes)) }));
  }

  test('cuts where it would without them, and counts the same', () => {
    const tokens = counter.count(text);
    for (let keepTokens = 1; keepTokens < tokens; keepTokens += 97) {
      const plain = cutMessage(meter, 0, [{ bytes, checkpoints: [] }], keepTokens);
      expect(cutMessage(meter, 0, [{ bytes, checkpoints }], keepTokens)).toEqual(plain);
    }
  });

  test('replaces a marker behind the last of them', () => {
    const marked = Buffer.concat([bytes, Buffer.from(MARK)]);
    const tokens = counter.count(marked);
    const known = [...checkpoints, { endBytes: marked.length, tokens }];
    for (const keepTokens of [tokens - 3, tokens, tokens + 5]) {
      const made = cutMessage(meter, 0, [{ bytes: marked, checkpoints: known }], keepTokens);
      expect(made).toMatchObject({ keepBytes: bytes.length, contentTokens: tokens });
    }
  });

  test('reads one stretch only', () => {
    const lengths: number[] = [];
    const watched = {
      count: (given: Uint8Array) => {
        lengths.push(given.length);
        return counter.count(given);
      },
      cutBytes: (given: Uint8Array, maxTokens: number) => counter.cutBytes(given, maxTokens),
    } as typeof counter;
    cutMessage(new TextMeter(watched), 0, [{ bytes, checkpoints }], checkpoints.at(-2)?.tokens ?? 0);
    expect(Math.max(...lengths)).toBeLessThan(1200);
  });
});
