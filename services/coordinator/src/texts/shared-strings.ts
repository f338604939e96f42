import { allocateShared } from '@preflight/body';
import { type Piece, type Referring, type Steps, TextRange } from '@preflight/core';

/** Strings of fewer characters in a row are sooner copied to a thread than put into memory that it shares. */
const MIN_LENGTH = 64 * 1024;

/**
 * The countable with its long rows of strings in shared memory, so that what was written together out of many small
 * texts is hashed, split and counted like one long text. Other countables are given as they are.
 */
export function* withSharedStrings(countable: Referring): Steps<Referring> {
  if (countable.length < 2 && lengthOf(countable[0]) < MIN_LENGTH) return countable;
  const pieces: Referring[number][] = [];
  let row: string[] = [];
  for (const piece of countable) {
    if (typeof piece === 'string') row.push(piece);
    else {
      pieces.push(...(yield* joined(row)), piece);
      row = [];
    }
  }
  return [...pieces, ...(yield* joined(row))];
}

/** The strings of a row in memory of their own, if they are long together. */
function* joined(row: readonly string[]): Steps<readonly Piece[]> {
  if (row.reduce((sum, text) => sum + text.length, 0) < MIN_LENGTH) return row;
  let sizeBytes = 0;
  for (const text of row) {
    sizeBytes += Buffer.byteLength(text);
    yield;
  }
  const bytes = allocateShared(sizeBytes);
  let used = 0;
  for (const text of row) {
    used += bytes.write(text, used);
    yield;
  }
  return [new TextRange(bytes.buffer, bytes.byteOffset, bytes.byteOffset + sizeBytes)];
}

function lengthOf(piece: Referring[number] | undefined): number {
  return typeof piece === 'string' ? piece.length : 0;
}
