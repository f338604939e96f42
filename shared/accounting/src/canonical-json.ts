import {
  BlobText,
  type Countable,
  type Json,
  type PartJson,
  type PartObject,
  type Referring,
  type Steps,
  TextRange,
} from '@preflight/core';
import { CountableWriter } from './countable-writer.js';

/**
 * A JSON value as Langroid's reference writes it to be counted (langroid-overflow §7): keys sorted at every level by
 * code points, no spaces, ASCII only. Long texts stay pieces, all else is joined.
 *
 * Numbers are written as JSON.stringify writes them (RFC 8785, section 3.2.2.3). Python differs where a number was
 * spelled as a float (`1.0`, `1e-7`): the spelling is gone once JSON is parsed.
 */
export function* canonicalJson(value: Json): Steps<Countable> {
  const writer = new CountableWriter();
  yield* writeCanonicalJson(value, writer);
  return writer.finish();
}

/** The same for a content part, whose text may be that of files which lie elsewhere. */
export function* canonicalPart(value: PartJson): Steps<Referring> {
  const writer = new CountableWriter();
  yield* writeCanonicalJson(value, writer);
  return writer.finishReferring();
}

/** Recursive: bodies nested too deeply are refused where they are parsed. */
export function* writeCanonicalJson(value: PartJson, writer: CountableWriter): Steps<void> {
  if (writer.isStepOver()) yield;
  if (typeof value === 'string' || value instanceof TextRange || value instanceof BlobText)
    writer.write('"').writeEscaped(value).write('"');
  else if (Array.isArray(value)) yield* writeArray(value, writer);
  else if (typeof value === 'object' && value !== null) yield* writeObject(value, writer);
  else writer.write(JSON.stringify(value));
}

function* writeArray(elements: readonly PartJson[], writer: CountableWriter): Steps<void> {
  writer.write('[');
  for (const [index, element] of elements.entries()) {
    if (index > 0) writer.write(',');
    yield* writeCanonicalJson(element, writer);
  }
  writer.write(']');
}

function* writeObject(object: PartObject, writer: CountableWriter): Steps<void> {
  writer.write('{');
  for (const [index, key] of sortedKeys(object).entries()) {
    writer
      .write(index > 0 ? ',"' : '"')
      .writeEscaped(key)
      .write('":');
    yield* writeCanonicalJson(object[key] as PartJson, writer);
  }
  writer.write('}');
}

/** As Python sorts. JavaScript's own order is by UTF-16 units, which puts astral characters before U+E000. */
function sortedKeys(object: PartObject): string[] {
  const keys = Object.keys(object);
  return keys.some((key) => SURROGATE_OR_LATER.test(key)) ? keys.sort(compareCodePoints) : keys.sort();
}

/** Units that the two orders disagree about. */
const SURROGATE_OR_LATER = /[\ud800-\uffff]/;

function compareCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return sortKey(a.charCodeAt(at)) - sortKey(b.charCodeAt(at));
}

/** Moves surrogates behind all other units; NaN, the end of the text, before all. */
function sortKey(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
