import { type Countable, type Piece, TextRange, type WrittenText, writePiece } from '@preflight/core';
import { type EncodingName, encodingFacts, isSafeSplit } from '@preflight/pool';
import { isBase64Letter, payloadOf } from './payload.js';

/**
 * A large attachment in three parts that are counted apart, their tokens adding up exactly: what stands around the
 * payload, with a few bytes of it (`head`, `tail`), and the payload's `interior`. The interior depends on the payload
 * alone, so that the same file under another name, type or field is known by its digest.
 */
export interface AttachmentParts {
  readonly head: Countable;
  readonly interior: WrittenText & { readonly text: TextRange };
  readonly tail: Countable;
  /** The text that has the payload, and the payload in it. Where the interior begins and ends in it depends on it alone. */
  readonly text: TextRange;
  readonly payload: TextRange;
}

/** Smaller payloads are counted sooner than their parts are told apart. */
const MIN_PAYLOAD_BYTES = 4096;

/** How far into the payload, from either end, a border is looked for. In base64 there is one every few bytes. */
const SEARCH_BYTES = 1024;

/** Four letters of base64 are three bytes of the file. Borders stand between such groups. */
const GROUP_LETTERS = 4;

/**
 * The parts of a countable with one long text written in it; undefined where there is none, or no border is found.
 * Reads about 2 KiB. Base64 must be canonical at its ends; whether the interior is, a thread finds out that reads
 * it anyway.
 */
export function attachmentParts(countable: Countable, encoding: EncodingName): AttachmentParts | undefined {
  const at = countable.findIndex(isLongWritten);
  if (at < 0) return undefined;
  const { text: range, as } = countable[at] as WrittenText & { text: TextRange };
  const bytes = range.bytes();
  const payload = payloadOf(range);
  const start = payload.start - range.start;
  const from = firstBorder(bytes, start, encoding);
  const to = lastBorder(bytes, start, encoding);
  if (from === undefined || to === undefined || from >= to) return undefined;
  if (as === 'base64' && !(isCanonical(bytes.subarray(0, from)) && isCanonical(bytes.subarray(to))))
    return undefined;

  // Ends of base64 are known to be written right; other text is rewritten as before.
  const end = (text: Uint8Array): Piece => {
    const written = Buffer.from(text).toString();
    return as === 'base64' ? written : { text: written, as };
  };
  return {
    head: [...countable.slice(0, at), end(bytes.subarray(0, from))],
    interior: { text: new TextRange(range.buffer, range.start + from, range.start + to), as },
    tail: [end(bytes.subarray(to)), ...countable.slice(at + 1)],
    text: range,
    payload,
  };
}

function isLongWritten(piece: Piece): boolean {
  if (typeof piece === 'string' || piece instanceof TextRange) return false;
  return piece.text instanceof TextRange && piece.text.byteLength >= MIN_PAYLOAD_BYTES;
}

function firstBorder(bytes: Uint8Array, start: number, encoding: EncodingName): number | undefined {
  for (let at = start + GROUP_LETTERS; at < start + SEARCH_BYTES; at += GROUP_LETTERS)
    if (isBorder(bytes, at, encoding)) return at;
  return undefined;
}

function lastBorder(bytes: Uint8Array, start: number, encoding: EncodingName): number | undefined {
  const last = bytes.length - 1 - ((bytes.length - 1 - start) % GROUP_LETTERS);
  for (let at = last; at > last - SEARCH_BYTES; at -= GROUP_LETTERS)
    if (isBorder(bytes, at, encoding)) return at;
  return undefined;
}

/**
 * A safe split whose neighbours are letters of base64. Those are written as they are, and all that the split depends
 * on, so that it stays safe whatever stands around the payload and however the rest of it is written.
 */
function isBorder(bytes: Uint8Array, at: number, encoding: EncodingName): boolean {
  for (let i = at - 2; i <= at; i++) if (!isBase64Letter(bytes[i] as number)) return false;
  return isSafeSplit(bytes, encodingFacts(encoding).family, at);
}

function isCanonical(base64: Uint8Array): boolean {
  return writePiece({ as: 'base64' }, base64) === base64;
}
