import { type Countable, type Piece, TextRange } from '@preflight/core';
import { type EncodingName, encodingFacts, planChunks } from '@preflight/tokenizer';
import { sizeBytes } from './pack.js';

/**
 * Work for one task. Large enough that the way to a thread (about 0.1 ms) is nothing, small enough that a thread soon
 * looks at its cancel flag again and small requests get in between.
 */
const TASK_BYTES = 256 * 1024;

/** A countable, or a stretch of one, and whose tokens it adds to. */
export interface Chunk {
  readonly owner: number;
  readonly countable: Countable;
  /** How many chunks the owner has. */
  readonly ofChunks: number;
}

/** How far back from a border a safe point is looked for, on this thread: enough for prose, code and base64. */
const WALK_BYTES = 4096;

/** What a text costs beside its bytes, in bytes: packing, one call of the counter, one number back. */
const TEXT_OVERHEAD_BYTES = 64;

/**
 * Splits what is large at safe points, where the counts of both sides add up exactly (counter-kernel §4), so that all
 * threads work on one attachment. Only plain ranges are split; text that must be rewritten first stays whole.
 */
export function* chunksOf(countables: readonly Countable[], encoding: EncodingName): Generator<Chunk> {
  for (const [owner, countable] of countables.entries()) {
    const parts = countable.some(isLarge) ? split(countable, encoding) : [countable];
    for (const part of parts) yield { owner, countable: part, ofChunks: parts.length };
  }
}

function split(countable: Countable, encoding: EncodingName): Countable[] {
  const parts: Countable[] = [];
  let open: Piece[] = [];
  for (const piece of countable) {
    const stretches = isLarge(piece) ? stretchesOf(piece, encoding) : [piece];
    for (const [i, stretch] of stretches.entries()) {
      if (i > 0) {
        parts.push(open);
        open = [];
      }
      open.push(stretch);
    }
  }
  return [...parts, open];
}

function isLarge(piece: Piece): piece is TextRange {
  return piece instanceof TextRange && piece.byteLength > TASK_BYTES;
}

function stretchesOf(range: TextRange, encoding: EncodingName): TextRange[] {
  return planChunks(range.bytes(), encodingFacts(encoding).family, TASK_BYTES, WALK_BYTES).map(
    ({ start, end }) => new TextRange(range.buffer, range.start + start, range.start + end),
  );
}

/**
 * Up to here the way to a thread and back takes this thread longer than the work itself: 0.2 ms, in which 8 KiB are
 * counted in most cases, and hashed ten times.
 */
const SMALL_BYTES = 8 * 1024;

/** Whether all of it is sooner done on this thread: at most some tenths of a millisecond. */
export function areSmall(countables: readonly Countable[]): boolean {
  if (countables.length * TEXT_OVERHEAD_BYTES > SMALL_BYTES) return false;
  let bytes = 0;
  for (const countable of countables) bytes += sizeBytes(countable) + TEXT_OVERHEAD_BYTES;
  return bytes <= SMALL_BYTES;
}

/** Gathers chunks into groups of about `TASK_BYTES`, so that many small texts travel in one task. */
export function* groupsOf<Item extends { readonly countable: Countable }>(
  items: Iterable<Item>,
): Generator<Item[]> {
  let group: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeBytes(item.countable) + TEXT_OVERHEAD_BYTES;
    if (group.length > 0 && bytes + size > TASK_BYTES) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(item);
    bytes += size;
  }
  if (group.length > 0) yield group;
}
