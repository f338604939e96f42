/** Enough of a name to find its neighbours; bounds the work for hostile names. */
const COMPARED_LENGTH = 64;

/** Of the letters of a name, so many may be wrong for another to be meant. */
const WRONG_SHARE = 1 / 3;

/**
 * The `count` ids most like a name, nearest first, earlier ones before later ones: by the letters that are wrong, missing
 * or too many, or because they begin as it does. Signs between words do not matter. None that is unlike it.
 */
export function nearestOf(name: string, ids: readonly string[], count: number): string[] {
  const wanted = lettersOf(name.slice(name.lastIndexOf('/') + 1));
  const mostWrong = Math.floor(wanted.length * WRONG_SHARE);
  return ids
    .map((id) => ({ id, distance: distanceOf(wanted, lettersOf(id)) }))
    .filter(({ distance }) => distance <= mostWrong)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ id }) => id);
}

function lettersOf(name: string): string {
  return name
    .slice(0, COMPARED_LENGTH)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** Whoever writes only the beginning of a name or a word of it, has made one mistake. */
function distanceOf(wanted: string, id: string): number {
  if (wanted.length > 2 && id.startsWith(wanted)) return id === wanted ? 0 : 1;
  return wanted.length > 4 && id.includes(wanted) ? 1 : editDistance(wanted, id);
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
