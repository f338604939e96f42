import { type MediaFacts, type MediaKind, mediaKindOfType } from '@preflight/core';
import { plainBytes } from './byte-source.js';
import { decodeFile } from './data-uri.js';
import { FileBytes } from './file-bytes.js';
import { READERS } from './readers.js';
import { Unreadable } from './unreadable.js';

/** How a file is given: as its bytes, or as text that is a data URI or base64. */
export type FileForm = 'bytes' | 'encoded';

export interface InspectOptions {
  readonly form: FileForm;
  /** What it is said to be; its bytes decide, where they tell. */
  readonly kind?: MediaKind | undefined;
}

/**
 * What a file is, by its own bytes: headers alone are read, and nothing of its picture or sound is decoded. Of base64 only
 * what is looked at is decoded, so that a photo takes some 20 µs, whatever its size.
 *
 * Never throws, whatever the bytes: what cannot be read is `unreadable`, with the reason. Time is bounded by steps, so that it
 * does not depend on the machine's load which files are read.
 */
export function inspect(given: Uint8Array, { form, kind }: InspectOptions): MediaFacts {
  const { source, mimeType } =
    form === 'bytes' ? { source: plainBytes(given), mimeType: undefined } : decodeFile(given);
  const stated = kind ?? (mimeType === undefined ? undefined : mediaKindOfType(mimeType));
  const file = new FileBytes(source);
  let as = stated;
  try {
    const reader = READERS.find((known) => known.matches(file));
    if (reader === undefined) throw new Unreadable('unknown_type');
    as = reader.kind;
    return reader.read(file);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { reason } = error;
    return as === undefined ? { kind: 'unreadable', reason } : { kind: 'unreadable', as, reason };
  }
}
