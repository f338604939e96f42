import type { Counter } from '@preflight/tokenizer';
import type { Digest } from './messages.js';
import { digestBytes } from './tree-digest.js';
import type { Unpacked } from './unpack.js';

/*
 * What is done with texts in a thread, or on the main thread where that is sooner. `onStep` is called between texts and
 * steps; it may throw to give up.
 */

/** Tokens of each text. Throws `invalid_base64`. */
export function countTexts(counter: Counter, texts: Unpacked, onStep?: () => void): Int32Array {
  const tokens = new Int32Array(texts.length);
  for (let i = 0; i < texts.length; i++) {
    onStep?.();
    tokens[i] = counter.count(texts.bytes(i).bytes);
  }
  return tokens;
}

/** Digest of each text (`digestBytes`). Throws `invalid_base64`. */
export function digestTexts(texts: Unpacked, onStep?: () => void): Digest[] {
  return Array.from({ length: texts.length }, (_, i) => {
    onStep?.();
    const { bytes, isPlain } = texts.bytes(i);
    return { hex: digestBytes(bytes, onStep), isPlain };
  });
}
