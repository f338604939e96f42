import { isObject, type Json, type JsonObject } from '@preflight/core';

/** Names that lead from an object to a value inside it. */
export type Path = readonly [string, ...string[]];

/** The value at the end of a path, if there is one. */
export function valueAt(object: JsonObject, path: readonly string[]): Json | undefined {
  let at: Json | undefined = object;
  for (const name of path) at = isObject(at) ? at[name] : undefined;
  return at;
}
