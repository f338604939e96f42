import { isObject, type Json, type JsonObject, type Steps, TextRange } from '@preflight/core';
import { STEP_ITEMS } from '../../step-items.js';
import type { Finding } from '../legality.js';

/** A way down into a value, as a list that grows at its end. */
interface Way {
  readonly name: string | number;
  readonly before: Way | undefined;
}

/** Strings with half of a surrogate pair in them: one place for each message, and for each field beside them. */
export function* findIllFormed(request: JsonObject, list: string): Steps<Finding[]> {
  const found: Finding[] = [];
  for (const [name, value] of Object.entries(request)) {
    if (name === list && Array.isArray(value)) {
      for (const [index, message] of value.entries()) {
        if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
        const path = yield* illFormedAt(message);
        if (path !== undefined) found.push({ code: 'ill_formed_string', index, path, remedy: MEND });
      }
      continue;
    }
    const path = yield* illFormedAt(value);
    if (path !== undefined) found.push({ code: 'ill_formed_string', path: [name, ...path], remedy: MEND });
  }
  return found;
}

const MEND = { op: 'mend_strings' } as const;

/** Whether one of them stands somewhere in it, be it in a key. */
export function* hasIllFormed(value: Json): Steps<boolean> {
  return (yield* illFormedAt(value)) !== undefined;
}

/** Where one of them stands; undefined if there is none. Long texts were looked at when they were read. */
function* illFormedAt(value: Json): Steps<(string | number)[] | undefined> {
  const left: [Json, Way | undefined][] = [[value, undefined]];
  for (let seen = 1; left.length > 0; seen++) {
    if (seen % STEP_ITEMS === 0) yield;
    const [next, before] = left.pop() as [Json, Way | undefined];
    if (isIllFormed(next)) return pathOf(before);
    if (Array.isArray(next)) {
      for (let index = next.length - 1; index >= 0; index--) {
        if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
        left.push([next[index] as Json, { name: index, before }]);
      }
    } else if (isObject(next)) {
      for (const [name, member] of Object.entries(next)) {
        if (!name.isWellFormed()) return pathOf({ name: name.toWellFormed(), before });
        left.push([member, { name, before }]);
      }
    }
  }
  return undefined;
}

function isIllFormed(value: Json): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  return value instanceof TextRange && value.given !== undefined;
}

function pathOf(way: Way | undefined): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = way; at !== undefined; at = at.before) path.unshift(at.name);
  return path;
}

/** The same with U+FFFD in place of each half. */
export function* mended(value: Json): Steps<Json> {
  if (typeof value === 'string') return value.toWellFormed();
  if (value instanceof TextRange)
    return value.given === undefined ? value : new TextRange(value.buffer, value.start, value.end);
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const [index, item] of value.entries()) {
      if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
      items.push(yield* mended(item));
    }
    return items;
  }
  if (!isObject(value)) return value;
  const members: [string, Json][] = [];
  for (const [name, member] of Object.entries(value))
    members.push([name.toWellFormed(), yield* mended(member)]);
  return Object.fromEntries(members);
}
