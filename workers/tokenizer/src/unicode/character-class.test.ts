import { describe, expect, it } from 'vitest';
import { generateClassRuns, matchedCodePoints } from '../../scripts/generate-unicode-classes.mjs';
import { BLANK, CASELESS, classAt, LOWER, MARK, NEWLINE, NUMBER, SYMBOL, UPPER } from './character-class.js';
import { CLASS_RUNS } from './classes.generated.js';

describe('character classes', () => {
  it('are those of the tiktoken that is installed', () => {
    expect(CLASS_RUNS).toBe(generateClassRuns());
  });

  it.each([
    ['A', UPPER],
    ['\u01c5', UPPER],
    ['\u017f', LOWER],
    ['\u4e2d', CASELESS],
    ['\u02b0', CASELESS],
    ['\u0301', MARK],
    ['\u00bd', NUMBER],
    ['\u{1d7d8}', NUMBER],
    ['\u0085', BLANK],
    ['\r', NEWLINE],
    ['\ufeff', SYMBOL],
    ['\u{10ffff}', SYMBOL],
  ])('classAt(%j)', (character, expected) => {
    expect(classAt(new TextEncoder().encode(`x${character}x`), 1)).toBe(expected);
  });

  it('fold exactly one character beyond ASCII to a letter of a contraction', () => {
    const folded = matchedCodePoints('(?i:[stremvld])').map((codePoint) => String.fromCodePoint(codePoint));
    expect(folded.join('')).toBe('DELMRSTVdelmrstv\u017f');
  });
});
