import type { Cut } from './step.js';

/** Numbers of a cut, in the order in which they are written; 0 for those that a cut does not have. */
const FIELDS = [
  'index',
  'textIndex',
  'keepBytes',
  'tailBytes',
  'elidedTokens',
  'elidedAttachmentTokens',
  'contentTokens',
  'contentBytes',
] as const;

/** Cuts as one column of numbers, because there may be 100,000 and objects are slow to travel. */
export function numbersOfCuts(cuts: readonly Cut[]): Int32Array {
  const numbers = new Int32Array(FIELDS.length * cuts.length);
  for (const [position, cut] of cuts.entries())
    for (const [offset, name] of FIELDS.entries())
      numbers[position * FIELDS.length + offset] = cut[name] ?? 0;
  return numbers;
}

/** The cuts again. */
export function cutsOfNumbers(numbers: Int32Array): Cut[] {
  return Array.from({ length: numbers.length / FIELDS.length }, (_, position) => {
    const at = (name: (typeof FIELDS)[number]) =>
      numbers[position * FIELDS.length + FIELDS.indexOf(name)] as number;
    const optional = (name: 'tailBytes' | 'elidedTokens' | 'elidedAttachmentTokens' | 'contentBytes') =>
      at(name) > 0 && { [name]: at(name) };
    return {
      index: at('index'),
      textIndex: at('textIndex'),
      keepBytes: at('keepBytes'),
      contentTokens: at('contentTokens'),
      ...optional('tailBytes'),
      ...optional('elidedTokens'),
      ...optional('elidedAttachmentTokens'),
      ...optional('contentBytes'),
    };
  });
}
