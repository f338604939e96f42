import { BlobText, type PartJson } from '../../blob.js';
import type { Steps } from '../../steps.js';
import { TextRange } from '../../text.js';
import { valueReprLength } from './number-repr.js';
import { textReprLength } from './text-repr.js';

/** Members of a list or an object that are looked at in one step. */
const STEP_MEMBERS = 64;

/**
 * How many characters Python's `repr` of a JSON value has, but for its long texts, which are told one by one. Files that
 * lie elsewhere have the length of their base64. Numbers are known by their value only: `1.0` counts as `1`. Recursive: bodies nested too deeply are refused where they are
 * parsed.
 */
export function* jsonReprLength(value: PartJson, onLongText: (text: TextRange) => void): Steps<number> {
  if (value === null || value === true) return 4;
  if (value === false) return 5;
  if (typeof value === 'number') return valueReprLength(value);
  if (typeof value === 'string') return textReprLength(value);
  if (value instanceof TextRange) {
    onLongText(value);
    return 0;
  }
  if (value instanceof BlobText)
    return textReprLength(value.before) + 4 * Math.ceil(value.blob.byteLength / 3);
  const isList = Array.isArray(value);
  let length = 2;
  let members = 0;
  for (const [key, member] of Object.entries(value)) {
    if (members % STEP_MEMBERS === STEP_MEMBERS - 1) yield;
    if (members > 0) length += 2;
    if (!isList) length += textReprLength(key) + 2;
    length += yield* jsonReprLength(member, onLongText);
    members += 1;
  }
  return length;
}
