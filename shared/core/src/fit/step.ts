import type { Decision } from './decision.js';

/**
 * What a fit needs next, or what it came to. The recount of one cut decides the share of the next, because a cut
 * text and its marker are not always the sum of their parts; so cuts are asked for one by one.
 */
export type FitStep = AskedCut | { readonly type: 'decided'; readonly decision: Decision };

/** Keep the first `keepTokens` tokens of the content of message `index`, put the marker behind, and recount. */
export interface AskedCut {
  readonly type: 'cut';
  readonly index: number;
  readonly keepTokens: number;
}

/** The outcome of a cut, without its text: enough to repeat it (`cutContent`) and to replay the fit (`replayFit`). */
export interface Cut {
  /** The message, as an index of the input. */
  readonly index: number;
  /** The text in which the cut ends: texts before it stay whole, later ones are removed. */
  readonly textIndex: number;
  /** UTF-8 bytes kept of that text, before the marker; they end between two code points. */
  readonly keepBytes: number;
  /** Recount of the whole new content, marker included. */
  readonly contentTokens: number;
}
