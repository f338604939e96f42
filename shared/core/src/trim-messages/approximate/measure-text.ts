import { characterCount } from './characters.js';
import { jsonTextReprLength } from './json-text-repr.js';
import { textReprLength } from './text-repr.js';

/**
 * What is measured of a text: its characters; those of Python's `repr` of it; or those of the `repr` of the JSON that it
 * spells, where a text that is no JSON counts as a text.
 */
export const TEXT_MEASURES = ['characters', 'repr', 'json_repr'] as const;

export type TextMeasure = (typeof TEXT_MEASURES)[number];

/** Linear, some nanoseconds a character: for a long text, in a thread. */
export function measureText(text: string, as: TextMeasure): number {
  if (as === 'characters') return characterCount(text);
  return (as === 'json_repr' ? jsonTextReprLength(text) : undefined) ?? textReprLength(text);
}
