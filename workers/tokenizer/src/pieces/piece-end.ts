import type { PatternFamily } from '../encodings.js';
import { cl100kPieceEnd } from './cl100k.js';
import { gpt2PieceEnd } from './gpt2.js';
import { o200kPieceEnd, tekkenPieceEnd } from './o200k.js';
import { oneNumberEnd, type Stretch } from './runs.js';

/** Where the piece ends that starts at `at`, which must be before the end of the stretch. */
export type PieceEnd = (stretch: Stretch, at: number) => number;

/**
 * The splitting patterns of tiktoken, written out over classes of characters. Each reads a stretch a small
 * constant number of times, whatever it holds.
 */
export const PIECE_END: Readonly<Record<PatternFamily, PieceEnd>> = {
  o200k: o200kPieceEnd,
  cl100k: cl100kPieceEnd,
  gpt2: gpt2PieceEnd,
  llama3: cl100kPieceEnd,
  qwen2: (stretch, at) => cl100kPieceEnd(stretch, at, oneNumberEnd),
  tekken: tekkenPieceEnd,
};
