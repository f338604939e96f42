import { type Json, type JsonObject, TextRange } from '@preflight/core';

/** JSON.stringify recurses, so that what is nested more deeply than this is kept from it. */
const MAX_NATIVE_DEPTH = 500;

/** The containers that hold a range somewhere inside, or very deep nesting: those that JSON.stringify cannot write. */
export function containersOfRanges(value: Json): Set<Json> {
  const found = new Set<Json>();
  /** The containers on the way down to where the walk is, and what is left to be seen in each. */
  const path: { readonly container: Json; readonly children: readonly Json[]; next: number }[] = [];
  const enter = (child: Json): void => {
    if (child === null || typeof child !== 'object') return;
    const isRange = child instanceof TextRange;
    // A container may stand in several places, and is found in each of them on its own way down.
    const isFound = found.has(child);
    if (isRange || isFound || path.length >= MAX_NATIVE_DEPTH) {
      // Whatever is on the way down to a container that was found has been found when that was entered.
      for (
        let i = path.length - 1;
        i >= 0 && !found.has((path[i] as { container: Json }).container);
        i -= 1
      ) {
        found.add((path[i] as { container: Json }).container);
      }
    }
    if (isRange || isFound) return;
    const children = Array.isArray(child) ? child : Object.values(child as JsonObject);
    path.push({ container: child, children, next: 0 });
  };
  enter(value);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    if (top.next === top.children.length) path.pop();
    else enter(top.children[top.next++] as Json);
  }
  return found;
}
