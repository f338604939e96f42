import {
  BlobText,
  type Countable,
  type Json,
  type PartJson,
  type PartObject,
  type Referring,
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
export function canonicalJson(value: Json): Countable {
  const writer = new CountableWriter();
  writeCanonicalJson(value, writer);
  return writer.finish();
}

/** The same for a content part, whose text may be that of files which lie elsewhere. */
export function canonicalPart(value: PartJson): Referring {
  const writer = new CountableWriter();
  writeCanonicalJson(value, writer);
  return writer.finishReferring();
}

/** Recursive: bodies nested too deeply are refused where they are parsed. */
export function writeCanonicalJson(value: PartJson, writer: CountableWriter): void {
  if (typeof value === 'string' || value instanceof TextRange || value instanceof BlobText)
    writer.write('"').writeEscaped(value).write('"');
  else if (Array.isArray(value)) writeArray(value, writer);
  else if (typeof value === 'object' && value !== null) writeObject(value, writer);
  else writer.write(JSON.stringify(value));
}

function writeArray(elements: readonly PartJson[], writer: CountableWriter): void {
  writer.write('[');
  for (const [index, element] of elements.entries()) {
    if (index > 0) writer.write(',');
    writeCanonicalJson(element, writer);
  }
  writer.write(']');
}

function writeObject(object: PartObject, writer: CountableWriter): void {
  writer.write('{');
  const members = Object.entries(object).sort(([a], [b]) => compareCodePoints(a, b));
  for (const [index, [key, value]] of members.entries()) {
    writer
      .write(index > 0 ? ',"' : '"')
      .writeEscaped(key)
      .write('":');
    writeCanonicalJson(value, writer);
  }
  writer.write('}');
}

/** As Python sorts. JavaScript's own order is by UTF-16 units, which puts astral characters before U+E000. */
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
