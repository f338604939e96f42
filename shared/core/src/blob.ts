import type { Countable, Piece } from './countable.js';
import type { Json } from './json.js';

/** A file that came apart from the request that names it, and lies in the payload store. */
export interface BlobRef {
  /** SHA-256 of the file's bytes, in hex. */
  readonly sha256: string;
  readonly byteLength: number;
}

/** Text of an attachment that ends in the base64 of a blob, such as a data URI. */
export class BlobText {
  constructor(
    readonly blob: BlobRef,
    /** What stands before the base64. */
    readonly before: string,
  ) {}
}

/** A content part in which text may be that of a blob. */
export type PartJson = Json | BlobText | PartJson[] | PartObject;

export interface PartObject {
  [key: string]: PartJson;
}

/**
 * A piece of a countable that is made of a blob once that is read:
 * - `base64`: canonical base64 of its bytes;
 * - `filename`: the name that the file has when it comes without one.
 */
export class BlobPiece {
  constructor(
    readonly blob: BlobRef,
    readonly as: 'base64' | 'filename',
  ) {}
}

/** A countable, some pieces of which may have to be fetched before it can be counted. */
export type Referring = readonly (Piece | BlobPiece)[];

/** Whether nothing of a countable has to be fetched. */
export function isHere(countable: Referring): countable is Countable {
  return !countable.some((piece) => piece instanceof BlobPiece);
}
