import { isUtf8 } from 'node:buffer';
import { finish, type Json, PreflightError, TextRange } from '@preflight/core';
import { parseBody } from './parse-body.js';
import { syntaxErrorOffset } from './syntax-error.js';
import { writeJson } from './write-json.js';

/** What became of one text, so that a run can show that it met every kind. */
export type Outcome = 'lifted' | 'plain' | 'invalid_json' | 'invalid_utf8';

/** Holds parseBody, writeJson and the error position against JSON.parse and JSON.stringify; throws on a difference. */
export function compareWithJsonParse(bytes: Buffer, liftBytes: number, groupBytes: number): Outcome {
  const original = Buffer.from(bytes);
  const maxDepth = Number.POSITIVE_INFINITY;
  const ours = attempt(() => parseBody(bytes, { liftBytes, maxDepth, groupBytes }));
  if (!original.equals(bytes)) throw new Error('the body was changed');
  if (!isUtf8(bytes)) return expectRefusal(ours, 'invalid_utf8');

  const text = bytes.toString();
  const reference = attempt(() => JSON.parse(text) as Json);
  if ((finish(syntaxErrorOffset(bytes)) === -1) !== 'value' in reference) throw new Error('validity differs');
  if ('error' in reference) {
    checkPosition(bytes, text, ours, String(reference.error));
    return expectRefusal(ours, 'invalid_json');
  }
  if ('error' in ours) throw new Error(`refused valid JSON: ${ours.error}`);

  const seen = { ranges: 0 };
  compare(ours.value, reference.value, liftBytes, seen);
  const written = writeJson(ours.value).toString();
  if (written !== JSON.stringify(reference.value)) throw new Error(`wrote ${written}`);
  return seen.ranges > 0 ? 'lifted' : 'plain';
}

type Attempt = { readonly value: Json } | { readonly error: unknown };

function attempt(parse: () => Json): Attempt {
  try {
    return { value: parse() };
  } catch (error) {
    return { error };
  }
}

function expectRefusal(attempted: Attempt, code: 'invalid_json' | 'invalid_utf8'): Outcome {
  if ('error' in attempted && attempted.error instanceof PreflightError && attempted.error.code === code) {
    return code;
  }
  throw new Error(`expected ${code}, got ${JSON.stringify(attempted)}`);
}

/** V8 tells the position in some of its messages, in code units. */
function checkPosition(bytes: Buffer, text: string, attempted: Attempt, message: string): void {
  const position = 'error' in attempted ? (attempted.error as PreflightError).params.position : undefined;
  const units = /at position (\d+)$/.exec(message)?.[1];
  if (units === undefined) return;
  const expected = Buffer.byteLength(text.slice(0, Number(units)));
  if (position !== expected) throw new Error(`position ${position} of ${bytes.length}, V8: ${message}`);
}

/** Equality down to -0, the order of keys and own `__proto__`; ranges exactly where they belong. */
function compare(ours: Json, reference: Json, liftBytes: number, seen: { ranges: number }): void {
  if (ours instanceof TextRange) {
    seen.ranges += 1;
    const bytes = Buffer.from(ours.bytes());
    const text = String(reference);
    if (!isUtf8(bytes) || bytes.toString() !== text.toWellFormed()) throw new Error('range differs');
    if ((ours.given === undefined) !== text.isWellFormed()) throw new Error('what was given is missing');
    if (ours.byteLength <= liftBytes) throw new Error('short range');
  } else if (typeof reference === 'string') {
    if (ours !== reference) throw new Error('string differs');
    if (Buffer.byteLength(reference) > liftBytes) throw new Error('not lifted');
  } else if (typeof reference !== 'object' || reference === null) {
    if (!Object.is(ours, reference)) throw new Error('scalar differs');
  } else {
    if (Array.isArray(ours) !== Array.isArray(reference)) throw new Error('kind differs');
    if (Object.getPrototypeOf(ours) !== Object.getPrototypeOf(reference))
      throw new Error('prototype differs');
    const keys = Object.keys(reference);
    if (Object.keys(ours as object).join('\n') !== keys.join('\n')) throw new Error('keys differ');
    for (const key of keys) {
      compare(Reflect.get(ours as object, key), Reflect.get(reference, key), liftBytes, seen);
    }
  }
}
