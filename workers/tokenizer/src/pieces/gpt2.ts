import { classAt, isLetter, NUMBER } from '../unicode/character-class.js';
import { contractionEnd } from './contraction.js';
import {
  isSymbol,
  lettersEnd,
  numbersEnd,
  type Stretch,
  skipSpace,
  symbolsEnd,
  whitespaceEnd,
} from './runs.js';

/**
 * Where the piece ends that starts at `at`, by the pattern of GPT-2, r50k and p50k:
 * `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
 */
export function gpt2PieceEnd(stretch: Stretch, at: number): number {
  const contraction = contractionEnd(stretch, at);
  if (contraction > at) return contraction;

  const start = skipSpace(stretch, at);
  if (start < stretch.end) {
    const first = classAt(stretch.bytes, start);
    if (isLetter(first)) return lettersEnd(stretch, start);
    if (first === NUMBER) return numbersEnd(stretch, start);
    if (isSymbol(first)) return symbolsEnd(stretch, start);
  }
  return whitespaceEnd(stretch, at);
}
