/** ioredis copies what it writes, and again what it reads, in one turn of the event loop. */
const BATCH_PIECE_BYTES = 512 * 1024;

/** What a piece takes besides its bytes, roughly. */
export const PIECE_OVERHEAD_BYTES = 64;

/** Bytes that pieces take in a store. */
export function storedBytesOf(pieces: readonly { readonly length: number }[]): number {
  return pieces.reduce((sum, { length }) => sum + length + PIECE_OVERHEAD_BYTES, 0);
}

/** A record in pieces, as views; an empty one has one too. */
export function piecesOf(record: Uint8Array): Buffer[] {
  const { buffer, byteOffset, length } = record;
  const pieces: Buffer[] = [];
  for (let at = 0; at === 0 || at < length; at += BATCH_PIECE_BYTES)
    pieces.push(Buffer.from(buffer, byteOffset + at, Math.min(BATCH_PIECE_BYTES, length - at)));
  return pieces;
}
