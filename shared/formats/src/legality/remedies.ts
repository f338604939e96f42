import { isObject, type Json, type JsonObject } from '@preflight/core';
import type { Part } from './entry.js';

type Path = readonly (string | number)[];

/** A message without some of its parts; undefined if nothing of it is left. Lists that become empty go as well. */
export function withoutParts(
  message: JsonObject,
  parts: readonly Part[],
  leftOut: readonly Part[],
): JsonObject | undefined {
  const gone = new Set(leftOut.map(({ path }) => path.join('/')));
  if (parts.every(({ path }) => gone.has(path.join('/')))) return undefined;
  return pruned(message, branchesOf(leftOut)) as JsonObject | undefined;
}

/** The ways to what goes; at their ends, nothing. */
type Branches = Map<string | number, Branches>;

function branchesOf(leftOut: readonly Part[]): Branches {
  const root: Branches = new Map();
  for (const { path } of leftOut) {
    let branches = root;
    for (const name of path) {
      const next: Branches = branches.get(name) ?? new Map();
      branches.set(name, next);
      branches = next;
    }
  }
  return root;
}

function pruned(value: Json | undefined, branches: Branches): Json | undefined {
  if (branches.size === 0 || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const left = value.flatMap((item, index) => {
      const inner = branches.get(index);
      const kept = inner === undefined ? item : pruned(item, inner);
      return kept === undefined ? [] : [kept];
    });
    return left.length === 0 ? undefined : left;
  }
  if (!isObject(value)) return value;
  const left = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const inner = branches.get(name);
    const kept = inner === undefined ? member : pruned(member, inner);
    return kept === undefined ? [] : [[name, kept]];
  });
  return Object.fromEntries(left);
}

/** An empty text in place of an empty list. */
export function withEmptyText(message: JsonObject, [name, ...rest]: Path): JsonObject {
  if (name === undefined) return message;
  const inner = message[name];
  return { ...message, [name]: isObject(inner) ? withEmptyText(inner, rest) : '' };
}

/** Results in front of all else in their list. */
export function withResultsFirst(message: JsonObject, parts: readonly Part[]): JsonObject {
  const field = String(parts[0]?.path[0]);
  const list = message[field];
  if (!Array.isArray(list)) return message;
  const isResult = (_: Json, index: number) => parts[index]?.kind === 'result';
  return { ...message, [field]: [...list.filter(isResult), ...list.filter((item, i) => !isResult(item, i))] };
}

/** Two messages of one role as one: the parts of the second behind those of the first. */
export function joined(first: JsonObject, second: JsonObject): JsonObject {
  const field = first.parts === undefined ? 'content' : 'parts';
  return { ...first, [field]: [...partsOf(first[field]), ...partsOf(second[field])] };
}

/** Of Anthropic alone a content may be a text. */
function partsOf(content: Json | undefined): readonly Json[] {
  if (Array.isArray(content)) return content;
  return content === undefined || content === null ? [] : [{ type: 'text', text: content }];
}
