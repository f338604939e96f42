import type { Ledger } from './ledger.js';

/** An attachment of which there are several with the same content. */
export interface Copy {
  /** Its message, and which of the attachments of that it is. */
  readonly index: number;
  readonly position: number;
  /** The same number for all that are the same. */
  readonly content: number;
  /** What it has of the tokens of its message's attachments. */
  readonly tokens: number;
  /** What the request has of it as JSON, at least: the file itself. */
  readonly bytes: number;
}

/** Numbers of a copy, in the order in which ledgers have them. */
const FIELDS = 5;

/** The copies of a ledger, in the order of their places. */
export function copiesIn({ copies = NONE }: Ledger): Copy[] {
  return Array.from({ length: copies.length / FIELDS }, (_, i) => {
    const [index, position, content, tokens, bytes] = copies.subarray(FIELDS * i) as unknown as Five;
    return { index, position, content, tokens, bytes };
  });
}

/** Copies as a ledger has them. */
export function columnOfCopies(copies: readonly Copy[]): Int32Array {
  const column = new Int32Array(FIELDS * copies.length);
  for (const [i, { index, position, content, tokens, bytes }] of copies.entries())
    column.set([index, position, content, tokens, bytes], FIELDS * i);
  return column;
}

type Five = [number, number, number, number, number];

const NONE = new Int32Array();
