import { cutContent, MARK } from '@preflight/core';
import { loadCounter } from '@preflight/tokenizer';
import { describe, expect, test } from 'vitest';
import { cutMessage } from './cut-message.js';

const counter = await loadCounter('o200k_base');
const bytesOf = (texts: readonly string[]) => texts.map((text) => Buffer.from(text));

/** The texts after the cut, and the cut. */
function cut(texts: readonly string[], keepTokens: number) {
  const made = cutMessage(counter, 7, bytesOf(texts), keepTokens);
  return { made, kept: cutContent(texts, made) as string[] };
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
    cutMessage(watched, 0, bytesOf(['word '.repeat(10_000), 'x', 'y']), 10);
    expect(read).toEqual([9]);
  });

  test('a message without texts is a bug', () => {
    expect(() => cutMessage(counter, 3, [], 10)).toThrow(RangeError);
  });
});
