import { listModels } from './resolve-model.js';

/** Enough of a name to find its neighbours; bounds the work for hostile names. */
const COMPARED_LENGTH = 64;

/** Ids of the `count` models whose names are most like `name`, nearest first, for "did you mean". */
export function nearestModels(name: string, count: number): string[] {
  const wanted = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .slice(0, COMPARED_LENGTH);
  return listModels()
    .map(({ id }) => ({ id, distance: editDistance(wanted, id) }))
    .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))
    .slice(0, count)
    .map(({ id }) => id);
}

/** Levenshtein's distance, one row of its table at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
