import type { UnitCounter } from '@preflight/core';
import type { Counter } from '@preflight/tokenizer';

/** Counts tokens, no more of them than it takes to tell that they are too many. */
export function tokenUnits(counter: Counter): UnitCounter {
  return {
    count: (text) => counter.count(text),
    exceeds: (text, maxUnits) => counter.countUpTo(text, maxUnits).exceeded,
  };
}

/** Counts characters, as code points. */
export const characterUnits: UnitCounter = {
  count: charactersIn,
  exceeds: (text, maxUnits) => charactersIn(text) > maxUnits,
};

/** Of well-formed UTF-8: all bytes that do not continue a character. */
function charactersIn(text: Uint8Array): number {
  let characters = 0;
  for (const byte of text) if ((byte & 0xc0) !== 0x80) characters += 1;
  return characters;
}
