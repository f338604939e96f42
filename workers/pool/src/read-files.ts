import { createHash } from 'node:crypto';
import { fileBlocks, type Inspected, type InspectOptions, inspect } from '@preflight/media';
import type { Unpacked } from './unpack.js';

/*
 * What is done with files in a thread. `onStep` is called between files and steps; it may throw to give up. Threads load
 * this, and with it the readers of all types, when they are first given a file: most never are.
 */

/** What each file is (`inspect`). */
export function inspectFiles(
  files: Unpacked,
  as: readonly InspectOptions[],
  onStep: () => void,
): Inspected[] {
  return as.map((options, i) => {
    onStep();
    return inspect(files.bytes(i).bytes, options);
  });
}

/** SHA-256 of the file in each text, in hex, as it is when its bytes are uploaded; null where the text is no base64. */
export function digestFiles(texts: Unpacked, onStep?: () => void): (string | null)[] {
  return Array.from({ length: texts.length }, (_, i) => {
    const hash = createHash('sha256');
    const blocks = fileBlocks(texts.bytes(i).bytes, 'encoded');
    for (;;) {
      onStep?.();
      const block = blocks.next();
      if (block.done) return block.value ? hash.digest('hex') : null;
      hash.update(block.value);
    }
  });
}
