import type { MediaFacts } from '@preflight/core';
import type { FileBytes } from './file-bytes.js';

/** Reads one type of file. */
export interface MediaReader {
  /** What a file is taken for that this reader knows by its first bytes. */
  readonly kind: 'image' | 'pdf' | 'audio' | 'video';
  /** Whether the file begins as this type does. */
  matches(file: FileBytes): boolean;
  /** Throws Unreadable. */
  read(file: FileBytes): MediaFacts;
}
