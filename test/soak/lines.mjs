/** Lines of a synthetic batch, made as they are asked for; the same each time, and no two alike. */

const KIB = 1024;
const POOL_BYTES = 8 * 1024 * KIB;

/** Words that no two places have in the same order, drawn by a small generator with a fixed seed. */
function makePool() {
  const random = randomOf(2026);
  const parts = [];
  for (let length = 0; length < 2 * POOL_BYTES; length += parts.at(-1).length)
    parts.push(
      random()
        .toString(36)
        .slice(2, 3 + random() * 9),
      random() < 0.1 ? '. ' : ' ',
    );
  return parts.join('');
}

/** Mulberry32. */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Short stretches of the pool, so that no longer stretch of two texts is the same. */
function textOf(pool, random, sizeBytes) {
  const parts = [];
  for (let length = 0; length < sizeBytes; length += parts.at(-1).length) {
    const start = Math.floor(random() * POOL_BYTES);
    parts.push(pool.slice(start, start + 200 + random() * 1800));
  }
  return parts.join('').slice(0, sizeBytes);
}

/** So many bytes in lines of 1 KiB to 8 MiB, each doubling of the size as frequent as the next. */
export function* linesOf(totalBytes) {
  const pool = makePool();
  const random = randomOf(1);
  let bytes = 0;
  for (let i = 0; bytes < totalBytes; i++) {
    const sizeBytes = Math.floor(KIB * 2 ** (random() * 13));
    const content = textOf(pool, random, sizeBytes);
    bytes += content.length;
    yield {
      id: String(i),
      encoding: 'o200k_base',
      context_window: 100_000_000,
      max_output_tokens: 100,
      messages: [{ role: 'user', content }],
    };
  }
}
