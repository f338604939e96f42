import { type MediaFacts, type MediaKind, mediaKindOfType, type UnreadableReason } from '@preflight/core';
import { type ByteSource, plainBytes } from './byte-source.js';
import { decodeFile } from './data-uri.js';
import { FileBytes } from './file-bytes.js';
import { READERS } from './readers.js';
import { textIn } from './text-document.js';
import { Unreadable } from './unreadable.js';

/** How a file is given: as its bytes, or as text that is a data URI or base64. */
export type FileForm = 'bytes' | 'encoded';

export interface InspectOptions {
  readonly form: FileForm;
  /** What it is said to be; its bytes decide, where they tell. */
  readonly kind?: MediaKind | undefined;
}

/** What a file is; of one that is nothing but text, the text itself, which somebody has to count. */
export type Inspected = Exclude<MediaFacts, { kind: 'text' }> | TextDocument;

export interface TextDocument {
  readonly kind: 'text';
  /** UTF-8. */
  readonly text: Uint8Array;
}

/**
 * What a file is, by its own bytes: headers alone are read, and nothing of its picture or sound is decoded. Of base64 only
 * what is looked at is decoded, so that a photo takes some 40 µs, whatever its size. Of a PDF all is decoded, and its text not read.
 *
 * Never throws, whatever the bytes: what cannot be read is `unreadable`, with the reason. Time is bounded by steps, so that it
 * does not depend on the machine's load which files are read.
 */
export function inspect(given: Uint8Array, { form, kind }: InspectOptions): Inspected {
  const { source, mimeType } = sourceOf(given, form);
  const stated = kind ?? (mimeType === undefined ? undefined : mediaKindOfType(mimeType));
  const file = new FileBytes(source);
  let as = stated;
  try {
    const reader = READERS.find((known) => known.matches(file));
    if (reader !== undefined) {
      as = reader.kind;
      return reader.read(file) as Inspected;
    }
    if (stated === 'text') return { kind: 'text', text: textIn(source) };
    return unreadable('unknown_type', as);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return unreadable(error.reason, as);
  }
}

/** The bytes of a file, all of them. Undefined where they are no base64. */
export function fileBytes(given: Uint8Array, form: FileForm): Uint8Array | undefined {
  try {
    const { source } = sourceOf(given, form);
    return source.bytes(0, source.byteLength);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Bytes that are decoded in one step; whole groups of three. */
const BLOCK_BYTES = 192 * 1024;

/** The bytes of a file, block by block. Returns whether that were all of them: they end where they are no base64. */
export function* fileBlocks(given: Uint8Array, form: FileForm): Generator<Uint8Array, boolean> {
  try {
    const { source } = sourceOf(given, form);
    for (let start = 0; start < source.byteLength; start += BLOCK_BYTES)
      yield source.bytes(start, Math.min(start + BLOCK_BYTES, source.byteLength));
    return true;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

function sourceOf(given: Uint8Array, form: FileForm): { source: ByteSource; mimeType: string | undefined } {
  return form === 'bytes' ? { source: plainBytes(given), mimeType: undefined } : decodeFile(given);
}

function unreadable(reason: UnreadableReason, as: MediaKind | undefined): Inspected {
  return { kind: 'unreadable', reason, ...(as && { as }) };
}
