import { type Countable, type Piece, TextRange, type WrittenText, writePiece } from '@preflight/core';
import { ENCODINGS, type EncodingName, isSafeSplit } from '@preflight/pool';

/**
 * A large attachment in three parts that can be counted apart, their tokens adding up exactly: what stands around the
 * payload (`head` and `tail`, with a few bytes of the payload) and the payload's `interior`. The interior depends on
 * the payload alone, so that the same file under another name, type or field is known by its digest.
 */
export interface AttachmentParts {
  readonly head: Countable;
  readonly interior: Countable;
  readonly tail: Countable;
}

/** Smaller payloads are counted sooner than their parts are told apart. */
const MIN_PAYLOAD_BYTES = 4096;

/** How far into the payload, from either end, a border is looked for. Safe splits are a few bytes apart in base64. */
const SEARCH_BYTES = 1024;

/** Where base64 begins in a data URI, looked for in its first bytes. */
const BASE64_MARK = Buffer.from(';base64,');
const MARK_WITHIN_BYTES = 256;

/** Groups of four letters are three bytes of the file; borders stand between groups. */
const GROUP_LETTERS = 4;

/**
 * The parts of a countable that is a base64 payload with something around it; undefined for what is none, or too
 * small, and for payloads that are not written canonically at their ends. Whether the interior is canonical is for a
 * thread to say, which reads it anyway. Reads about 2 KiB.
 */
export function attachmentParts(countable: Countable, encoding: EncodingName): AttachmentParts | undefined {
  const at = countable.findIndex(isPayload);
  if (at < 0) return undefined;
  const { text: range, as } = countable[at] as WrittenText & { text: TextRange };
  const bytes = range.bytes();
  const start = base64Start(bytes);
  if (start === undefined && as !== 'base64') return undefined;
  const payload = range.byteLength - (start ?? 0);
  if (payload < MIN_PAYLOAD_BYTES || payload % GROUP_LETTERS !== 0) return undefined;

  const from = firstBorder(bytes, start ?? 0, encoding);
  const to = lastBorder(bytes, encoding);
  if (from === undefined || to === undefined) return undefined;
  if (!isCanonical(bytes.subarray(start ?? 0, from)) || !isCanonical(bytes.subarray(to))) return undefined;

  const text = (begin: number, end: number) => Buffer.from(bytes.subarray(begin, end)).toString();
  // The head of a data URI may need escaping; letters of base64 never do.
  const uriHead: Piece[] = start === undefined ? [] : [{ text: text(0, start), as }];
  return {
    head: [...countable.slice(0, at), ...uriHead, text(start ?? 0, from)],
    interior: [{ text: new TextRange(range.buffer, range.start + from, range.start + to), as: 'base64' }],
    tail: [text(to, bytes.length), ...countable.slice(at + 1)],
  };
}

function isPayload(piece: Piece): boolean {
  return (
    typeof piece === 'object' &&
    'as' in piece &&
    piece.text instanceof TextRange &&
    piece.text.byteLength >= MIN_PAYLOAD_BYTES
  );
}

/** Offset behind `;base64,` of a data URI. */
function base64Start(bytes: Uint8Array): number | undefined {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MARK_WITHIN_BYTES));
  const mark = beginning.indexOf(BASE64_MARK);
  return beginning.indexOf('data:') === 0 && mark >= 0 ? mark + BASE64_MARK.length : undefined;
}

function firstBorder(bytes: Uint8Array, start: number, encoding: EncodingName): number | undefined {
  for (let at = start + GROUP_LETTERS; at < start + SEARCH_BYTES; at += GROUP_LETTERS)
    if (isBorder(bytes, at, encoding)) return at;
  return undefined;
}

function lastBorder(bytes: Uint8Array, encoding: EncodingName): number | undefined {
  for (let at = bytes.length - GROUP_LETTERS; at > bytes.length - SEARCH_BYTES; at -= GROUP_LETTERS)
    if (isBorder(bytes, at, encoding)) return at;
  return undefined;
}

/** A safe split, seen from letters of base64 only, so that it stays one whatever stands around the payload. */
function isBorder(bytes: Uint8Array, at: number, encoding: EncodingName): boolean {
  for (let i = at - 2; i <= at; i++) if (!isLetter(bytes[i] as number)) return false;
  return isSafeSplit(bytes, ENCODINGS[encoding].family, at);
}

function isLetter(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x2f && byte <= 0x39) ||
    byte === 0x2b
  );
}

function isCanonical(base64: Uint8Array): boolean {
  return writePiece({ as: 'base64' }, base64) === base64;
}
