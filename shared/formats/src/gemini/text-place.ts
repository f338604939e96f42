import { isObject, isText, type JsonObject } from '@preflight/core';
import { spelledField, spellingIn } from './spelling.js';

export type TextPlace = readonly [string, ...string[]];

/** Where a response of a function may have its text; anything beside it makes it data, in which nothing is cut. */
const RESPONSE_TEXTS = ['output', 'result', 'content'];

/**
 * Where a part has text that counts as content and may be cut: its `text` if that is no thought, or the only text of
 * what a function answered.
 */
export function textPlaceOf(part: JsonObject): TextPlace | undefined {
  const answer = spelledField(part, 'functionResponse');
  if (!isObject(answer)) return isText(part.text) && part.thought !== true ? ['text'] : undefined;
  const { response } = answer;
  if (!isObject(response)) return undefined;
  const [name, ...others] = Object.keys(response);
  if (name === undefined || others.length > 0 || !RESPONSE_TEXTS.includes(name)) return undefined;
  return isText(response[name]) ? [spellingIn(part, 'functionResponse'), 'response', name] : undefined;
}
