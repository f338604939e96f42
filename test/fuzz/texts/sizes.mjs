/**
 * Bytes where something changes in the kernel: slots of the memos (7, 15, 30), vectors (16), windows (48, 64), the
 * digits of a group (3), chains of merges (448), and the neighbours of each.
 */
export const EDGE_BYTES = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 18, 29, 30, 31, 32, 33, 46, 47, 48, 49, 50],
  ...[60, 61, 62, 63, 64, 65, 66, 70, 79, 80, 95, 96, 97, 111, 112, 113, 127, 128, 129, 191, 192, 193],
];

/** Lengths of a piece: the edges above all, any up to 70, seldom some hundreds. @param {import('../random.mjs').Random} random */
export function pieceBytes(random) {
  if (random.oneIn(25)) return random.between(250, 520);
  return random.oneIn(2) ? random.pick(EDGE_BYTES) : random.between(1, 70);
}
