import { Turn } from '@preflight/runtime';
import type { Parts } from './distinct-texts.js';

/** Position of the text of each countable; of one that has several parts, of the last. */
export async function textOfEach(parts: Parts, countableCount: number): Promise<Int32Array> {
  const textOf = new Int32Array(countableCount);
  await new Turn().each(parts.owners, (owner, i) => {
    textOf[owner] = parts.texts[i] as number;
  });
  return textOf;
}
