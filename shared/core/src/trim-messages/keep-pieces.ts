import { pieceEnds } from './pieces.js';
import type { KeptText, ShortenStep } from './trim.js';

/** Units of a text, in bytes of UTF-8. Heavy: to be called in a thread. */
export interface UnitCounter {
  count(text: Uint8Array): number;
  /** Whether the text has more than so many; may stop soon after them. */
  exceeds(text: Uint8Array, maxUnits: number): boolean;
}

/**
 * Keeps as many pieces of a text as fit (langchain-trim.md, section 6): null if not even one does. For `last` they are
 * tried from the end and joined in the order in which they are tried, so that what is tested is the text with its pieces
 * reversed; what is kept stands in its own order, and its units are those of that.
 *
 * Asks the counter 1 + log2 of the pieces times, never for more than about `maxUnits`.
 */
export function keepPieces(
  bytes: Uint8Array,
  { maxUnits, side, splitter }: Pick<ShortenStep, 'maxUnits' | 'side' | 'splitter'>,
  counter: UnitCounter,
): KeptText | null {
  const ends = pieceEnds(bytes, splitter);
  const tried = side === 'last' ? reversed(bytes, ends) : bytes;
  const lengthOf = (pieces: number) => {
    if (pieces === 0) return 0;
    return side === 'first'
      ? (ends[pieces - 1] as number)
      : bytes.length - (ends[ends.length - 1 - pieces] ?? 0);
  };
  let kept = 0;
  let most = ends.length;
  while (kept < most) {
    const middle = Math.ceil((kept + most) / 2);
    if (counter.exceeds(tried.subarray(0, lengthOf(middle)), maxUnits)) most = middle - 1;
    else kept = middle;
  }
  if (kept === 0) return null;
  const [startBytes, endBytes] =
    side === 'first' ? [0, lengthOf(kept)] : [bytes.length - lengthOf(kept), bytes.length];
  return { startBytes, endBytes, units: counter.count(bytes.subarray(startBytes, endBytes)) };
}

function reversed(bytes: Uint8Array, ends: Uint32Array): Uint8Array {
  const result = new Uint8Array(bytes.length);
  let at = 0;
  for (let piece = ends.length - 1; piece >= 0; piece--) {
    const part = bytes.subarray(ends[piece - 1] ?? 0, ends[piece]);
    result.set(part, at);
    at += part.length;
  }
  return result;
}
