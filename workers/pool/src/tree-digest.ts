import { createHash } from 'node:crypto';
import { type Countable, TextRange } from '@preflight/core';
import type { Arrived } from './arriving-texts.js';
import { groupsOf } from './chunks.js';

/** What one thread digests in one step, about 0.1 ms. */
export const LEAF_BYTES = 128 * 1024;

/** A thread is kept from others no longer than this takes, about a millisecond. */
const MAX_GROUP_LEAVES = 16;

/**
 * Digest of bytes, in hex: SHA-256 of up to 128 KiB; of more, SHA-512/256 over the SHA-256 of each 128 KiB, so that
 * several threads can make it. No bytes are known whose SHA-256 is the digest of other, longer ones.
 * `onStep` is called before each leaf; it may throw to give up.
 */
export function digestBytes(bytes: Uint8Array, onStep?: () => void): string {
  const leaves: string[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += LEAF_BYTES) {
    onStep?.();
    leaves.push(digestOfLeaf(bytes, start, start + LEAF_BYTES));
  }
  return digestOfLeaves(leaves);
}

/** So many leaves are digested in one go of what is still coming: two milliseconds. */
const MAX_ARRIVED_LEAVES = 32;

/** Leaves of bytes from one on, until what has come of them is used up; the last is short only where the bytes end. */
export function digestArrived(
  bytes: Uint8Array,
  firstLeaf: number,
  arrived: Arrived,
  onStep: () => void,
): string[] {
  const leaves: string[] = [];
  while (leaves.length < MAX_ARRIVED_LEAVES) {
    onStep();
    const { isWhole } = arrived;
    const start = (firstLeaf + leaves.length) * LEAF_BYTES;
    const end = Math.min(start + LEAF_BYTES, arrived.lengthBytes);
    if (end - start >= (isWhole ? 1 : LEAF_BYTES)) leaves.push(digestOfLeaf(bytes, start, end));
    else if (isWhole || !arrived.nap()) break;
  }
  return leaves;
}

function digestOfLeaf(bytes: Uint8Array, start: number, end: number): string {
  return createHash('sha256').update(bytes.subarray(start, end)).digest('hex');
}

/** The digest of bytes whose leaves have these digests. */
export function digestOfLeaves(leaves: readonly string[]): string {
  if (leaves.length === 1) return leaves[0] as string;
  return createHash('sha512-256')
    .update(Buffer.from(leaves.join(''), 'hex'))
    .digest('hex');
}

/** What a thread digests: a countable, or a leaf of one. */
export interface DigestItem {
  readonly owner: number;
  readonly countable: Countable;
  /** Position among the leaves of its owner; undefined for a countable that is digested whole. */
  readonly leaf?: number;
}

/**
 * What is digested by one task each. Long ranges are divided among threads, without the leaves that are known of them, from the first
 * on; text that must be joined or rewritten first stays whole.
 */
export function* digestGroups(
  countables: readonly Countable[],
  threads: number,
  known: ReadonlyMap<number, readonly string[]>,
): Generator<DigestItem[]> {
  for (const [owner, countable] of countables.entries())
    if (isLongRange(countable)) {
      const leaves = leavesOf(countable[0], owner).slice(known.get(owner)?.length ?? 0);
      yield* leafGroups(leaves, threads);
    }
  yield* groupsOf(wholes(countables));
}

function* wholes(countables: readonly Countable[]): Generator<DigestItem> {
  for (const [owner, countable] of countables.entries())
    if (!isLongRange(countable)) yield { owner, countable };
}

/** Whether the digest of a countable is that of a tree: a range of more than one leaf, taken as it is. */
export function isLongRange(countable: Countable): countable is readonly [TextRange] {
  const [piece] = countable;
  return countable.length === 1 && piece instanceof TextRange && piece.byteLength > LEAF_BYTES;
}

/** Leaves in groups of about one size, as many as threads at least. */
function* leafGroups(leaves: readonly DigestItem[], threads: number): Generator<DigestItem[]> {
  const groups = Math.max(threads, Math.ceil(leaves.length / MAX_GROUP_LEAVES));
  const groupLeaves = Math.ceil(leaves.length / groups);
  for (let first = 0; first < leaves.length; first += groupLeaves)
    yield leaves.slice(first, first + groupLeaves);
}

function leavesOf({ buffer, start, end }: TextRange, owner: number): DigestItem[] {
  return Array.from({ length: Math.ceil((end - start) / LEAF_BYTES) }, (_, leaf) => {
    const from = start + leaf * LEAF_BYTES;
    const countable = [new TextRange(buffer, from, Math.min(from + LEAF_BYTES, end))];
    return { owner, countable, leaf };
  });
}
