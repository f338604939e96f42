import { Turn } from '@preflight/runtime';
import type { Parts } from './distinct-texts.js';

/** Position of the text of each countable; of one that has several parts, of the last. */
export async function textOfEach(parts: Parts, countableCount: number): Promise<Int32Array> {
  const textOf = new Int32Array(countableCount);
  const turn = new Turn();
  for (let i = 0; i < parts.owners.length; i++) {
    if (i % 4096 === 0) await turn.breathe();
    textOf[parts.owners[i] as number] = parts.texts[i] as number;
  }
  return textOf;
}
