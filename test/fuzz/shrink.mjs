/** Enough for any text of a few thousand characters; larger ones stay larger. */
const MOST_ATTEMPTS = 3000;
const MOST_MS = 30_000;

/**
 * The smallest text found that still fails, by leaving out halves, then quarters, in the end single characters.
 * @param {string} text
 * @param {(text: string) => boolean} fails
 */
export function shrink(text, fails) {
  const startMs = performance.now();
  let characters = [...text];
  let attempts = 0;
  const mayGoOn = () => attempts++ < MOST_ATTEMPTS && performance.now() - startMs < MOST_MS;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (let size = Math.max(1, characters.length >> 1); size >= 1; size >>= 1) {
      for (let at = 0; at + size <= characters.length; ) {
        if (!mayGoOn()) return characters.join('');
        const fewer = [...characters.slice(0, at), ...characters.slice(at + size)];
        if (fails(fewer.join(''))) {
          characters = fewer;
          isSmaller = true;
        } else at += size;
      }
    }
  }
  return characters.join('');
}
