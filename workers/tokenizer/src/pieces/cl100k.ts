import { characterBytes, classAt, NUMBER } from '../unicode/character-class.js';
import { anyCaseContractionEnd } from './contraction.js';
import {
  isLetterPrefix,
  lettersEnd,
  newlinesEnd,
  type Stretch,
  skipSpace,
  symbolsEnd,
  threeNumbersEnd,
  whitespaceOrLinesEnd,
} from './runs.js';

/**
 * Where the piece ends that starts at `at`, by the pattern of cl100k_base:
 * `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
 * (Llama 3 has the same; Qwen 2 and 3 have `\p{N}`, digits one by one).
 */
export function cl100kPieceEnd(stretch: Stretch, at: number, numbersEnd = threeNumbersEnd): number {
  const contraction = anyCaseContractionEnd(stretch, at);
  if (contraction > at) return contraction;

  const first = classAt(stretch.bytes, at);
  const word = isLetterPrefix(first) ? at + characterBytes(stretch.bytes[at] as number) : at;
  const letters = lettersEnd(stretch, word);
  if (letters > word) return letters;

  if (first === NUMBER) return numbersEnd(stretch, at);

  const symbolsStart = skipSpace(stretch, at);
  const symbols = symbolsEnd(stretch, symbolsStart);
  if (symbols > symbolsStart) return newlinesEnd(stretch, symbols);

  return whitespaceOrLinesEnd(stretch, at);
}
