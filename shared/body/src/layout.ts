import { PreflightError, type Steps } from '@preflight/core';
import { CLOSE_OBJECT, COLON, COMMA, isWhiteSpace, OPEN_OBJECT, QUOTE } from './json-bytes.js';
import { StringEnds } from './string-end.js';

/** What the shape of a body may be, and how it is divided. */
export interface LayoutOptions {
  /** Strings of more bytes between their quotes are long. */
  readonly longBytes: number;
  /** Objects and arrays may be nested this deep. */
  readonly maxDepth: number;
  /** Values and members in all, about: commas, and opened objects and arrays. */
  readonly maxValues: number;
  /** Members that one object may have. */
  readonly maxMembers: number;
  /** Bytes that an object key may have between its quotes, if it is long. */
  readonly maxKeyBytes: number;
  /** Containers of more bytes, long strings left out, are divided. */
  readonly groupBytes: number;
}

/** Where the parts of a body stand that are not left to one call of JSON.parse. */
export interface Layout {
  /** Strings that are long, object keys left out, in order. */
  readonly longStrings: readonly LongString[];
  /** How large containers are divided, in order. */
  readonly borders: readonly Border[];
  /** As `maxValues` counts them. */
  readonly values: number;
  /** All that opens is closed; if not, it is no JSON, and the rest of the layout may be anything. */
  readonly isComplete: boolean;
}

/** Where a string stands in a body: the offsets of its two quotes. */
export interface LongString {
  readonly open: number;
  readonly close: number;
}

/** A bracket of a large container, or a comma between its values, all those between two borders making a group. */
export type Border =
  | {
      readonly kind: 'open';
      readonly at: number;
      /** The comma or bracket after which its place in the container around it begins; -1 for the outermost. */
      readonly after: number;
    }
  | { readonly kind: 'comma' | 'close'; readonly at: number };

/** Set in a brace and not in the bracket of the same direction; the two are alike otherwise. */
const BRACE_BIT = 0x20;

/** Bytes that are read in one step, less than a millisecond. */
const STEP_BYTES = 64 * 1024;

/**
 * The long strings of a JSON body, and how its large containers are divided. Checks nothing but depth and number of
 * values: in a body that is not JSON, what is found may be anything. About 1 GB/s outside long strings, 50 GB/s inside.
 * @throws PreflightError `body_too_deep`, `body_too_many_values`, `object_too_large` or `key_too_long`, with `limit` and `position`.
 */
export function* findLayout(bytes: Buffer, options: LayoutOptions): Steps<Layout> {
  const { longBytes, maxDepth, maxValues, maxKeyBytes } = options;
  const ends = new StringEnds(bytes);
  const longStrings: LongString[] = [];
  const open = new OpenContainers(options);
  /** Bytes of long strings so far, which cost nothing to parse. */
  let leftOut = 0;
  let values = 0;
  let stepEnd = STEP_BYTES;
  let i = 0;
  while (i < bytes.length) {
    if (i >= stepEnd) {
      yield;
      stepEnd = i + STEP_BYTES;
    }
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      const close = ends.find(i + 1);
      if (close < 0) return { longStrings, borders: [], values, isComplete: false };
      const sizeBytes = close - i - 1;
      if (sizeBytes > longBytes) {
        if (!isKey(bytes, close)) {
          longStrings.push({ open: i, close });
          leftOut += sizeBytes;
        } else if (sizeBytes > maxKeyBytes)
          throw new PreflightError('key_too_long', limitedAt(i, maxKeyBytes, 'A key has more bytes'));
      }
      i = close + 1;
      continue;
    }
    const brace = byte | BRACE_BIT;
    if (brace === OPEN_OBJECT) {
      values += 1;
      if (open.depth === maxDepth)
        throw new PreflightError('body_too_deep', limitedAt(i, maxDepth, 'The body has more levels'));
      open.open(i, leftOut, byte === OPEN_OBJECT);
    } else if (brace === CLOSE_OBJECT) {
      if (open.depth === 0) return { longStrings, borders: [], values, isComplete: false };
      open.close(i, leftOut);
    } else if (byte === COMMA) {
      values += 1;
      open.comma(i, leftOut);
    }
    if (values > maxValues)
      throw new PreflightError(
        'body_too_many_values',
        limitedAt(i, maxValues, 'The body has more JSON values'),
      );
    i += 1;
  }
  return { longStrings, borders: open.borders, values, isComplete: open.depth === 0 };
}

/**
 * The containers that are open at one place, outermost first. That one is large shows only when a group of its values is
 * complete; then it gets its border, and so do those around it, in which nothing has got one yet.
 */
class OpenContainers {
  readonly borders: Border[] = [];
  depth = 0;
  readonly #groupBytes: number;
  readonly #maxMembers: number;
  /** By depth: the bracket; the last comma, or the bracket; where the group begins, not counting what is left out. */
  readonly #brackets: number[] = [];
  readonly #marks: number[] = [-1];
  readonly #groupStarts: number[] = [0];
  /** By depth: how many members more an object may have. */
  readonly #membersLeft: number[] = [Number.POSITIVE_INFINITY];
  /** How many of them have a border. */
  #divided = 0;

  constructor({ groupBytes, maxMembers }: Pick<LayoutOptions, 'groupBytes' | 'maxMembers'>) {
    this.#groupBytes = groupBytes;
    this.#maxMembers = maxMembers;
  }

  open(at: number, leftOut: number, isObject: boolean): void {
    this.depth += 1;
    this.#membersLeft[this.depth] = isObject ? this.#maxMembers - 1 : Number.POSITIVE_INFINITY;
    this.#brackets[this.depth] = at;
    this.#marks[this.depth] = at;
    this.#groupStarts[this.depth] = at - leftOut;
  }

  comma(at: number, leftOut: number): void {
    this.#marks[this.depth] = at;
    const membersLeft = this.#membersLeft[this.depth] as number;
    if (membersLeft === 0)
      throw new PreflightError(
        'object_too_large',
        limitedAt(at, this.#maxMembers, 'An object has more members'),
      );
    this.#membersLeft[this.depth] = membersLeft - 1;
    if (at - leftOut - (this.#groupStarts[this.depth] as number) <= this.#groupBytes || this.depth === 0)
      return;
    // The marks around a container have not moved since it was opened.
    for (let depth = this.#divided + 1; depth <= this.depth; depth += 1) {
      const after = this.#marks[depth - 1] as number;
      this.borders.push({ kind: 'open', at: this.#brackets[depth] as number, after });
    }
    this.#divided = this.depth;
    this.borders.push({ kind: 'comma', at });
    this.#groupStarts[this.depth] = at - leftOut;
  }

  close(at: number, leftOut: number): void {
    if (this.#divided === this.depth) {
      this.borders.push({ kind: 'close', at });
      this.#divided -= 1;
      this.#groupStarts[this.depth - 1] = at - leftOut;
    }
    this.depth -= 1;
  }
}

function limitedAt(position: number, limit: number, what: string) {
  return {
    publicDetail: `${what} than the ${limit} that are allowed, from byte ${position} on.`,
    params: { limit, position },
  };
}

/** In JSON a string is a key exactly if a colon follows. */
function isKey(bytes: Buffer, close: number): boolean {
  let i = close + 1;
  while (isWhiteSpace(bytes[i])) i += 1;
  return bytes[i] === COLON;
}
