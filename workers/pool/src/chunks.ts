import { type Countable, TextRange } from '@preflight/core';
import { ENCODINGS, type EncodingName, planChunks } from '@preflight/tokenizer';
import { sizeBytes } from './pack.js';

/**
 * Work for one task. Large enough that the way to a thread (about 0.1 ms) is nothing, small enough that a thread soon
 * looks at its cancel flag again and small requests get in between.
 */
export const TASK_BYTES = 256 * 1024;

/** A countable, or a stretch of one, and whose tokens it adds to. */
export interface Chunk {
  readonly owner: number;
  readonly countable: Countable;
}

/**
 * Splits what is large at safe points, where the counts of both sides add up exactly (counter-kernel §4), so that all
 * threads work on one attachment. Only plain ranges are split; text that must be rewritten first stays whole.
 */
export function* chunksOf(countables: readonly Countable[], encoding: EncodingName): Generator<Chunk> {
  for (const [owner, countable] of countables.entries()) {
    const at = countable.findIndex((piece) => piece instanceof TextRange && piece.byteLength > TASK_BYTES);
    if (at < 0) yield { owner, countable };
    else for (const part of split(countable, at, encoding)) yield { owner, countable: part };
  }
}

function* split(countable: Countable, at: number, encoding: EncodingName): Generator<Countable> {
  const range = countable[at] as TextRange;
  const chunks = planChunks(range.bytes(), ENCODINGS[encoding].family, TASK_BYTES);
  for (const [i, { start, end }] of chunks.entries())
    yield [
      ...(i === 0 ? countable.slice(0, at) : []),
      new TextRange(range.buffer, range.start + start, range.start + end),
      ...(i === chunks.length - 1 ? countable.slice(at + 1) : []),
    ];
}

/** Gathers chunks into groups of about `TASK_BYTES`, so that many small texts travel in one task. */
export function* groupsOf<Item extends { readonly countable: Countable }>(items: Iterable<Item>): Generator<Item[]> {
  let group: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeBytes(item.countable);
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
