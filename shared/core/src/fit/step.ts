import type { Decision } from './decision.js';
import type { KeptIn } from './elision-note.js';

/**
 * What a fit needs next, or what it came to. The recount of one cut decides the share of the next, because a cut
 * text and its marker are not always the sum of their parts; so cuts are asked for one by one.
 */
export type FitStep = AskedCut | { readonly type: 'decided'; readonly decision: Decision };

/**
 * Keep `keepTokens` tokens of the content of message `index`, put the marker in the place of the rest, and recount. With
 * `elidedTokens`, keep nothing, and put the note about so many tokens in its place (`elisionNote`); with
 * `elidedAttachmentTokens`, leave the content alone, and put a note in the place of its attachments (`attachmentNote`).
 */
export interface AskedCut {
  readonly type: 'cut';
  readonly index: number;
  readonly keepTokens: number;
  /** Where they are kept; at the head by default, and in content of several texts. */
  readonly side?: CutSide;
  readonly elidedTokens?: number;
  readonly elidedAttachmentTokens?: number;
  /** With it, where the same attachment is kept; the note is then about one alone. */
  readonly keptIn?: KeptIn;
  /** Bytes of JSON that the new content may have besides, quotes not included: all its texts, the marker among them. */
  readonly maxContentBytes?: number;
}

/** What a cut keeps of a text: its head, its tail, or both, so that it goes out of the middle. */
export const CUT_SIDES = ['head', 'tail', 'middle'] as const;

export type CutSide = (typeof CUT_SIDES)[number];

/** The outcome of a cut, without its text: enough to repeat it (`cutContent`) and to replay the fit (`replayFit`). */
export interface Cut {
  /** The message, as an index of the input. */
  readonly index: number;
  /** The text in which the cut ends: texts before it stay whole, later ones are removed. */
  readonly textIndex: number;
  /** UTF-8 bytes kept of that text, before the marker; they end between two code points. */
  readonly keepBytes: number;
  /** The same behind the marker, counted from the end of the text. */
  readonly tailBytes?: number;
  /** Tokens of which a note tells that they were here, in place of any text. */
  readonly elidedTokens?: number;
  /** Tokens of attachments of which a note tells that they were here; the content is as it was. */
  readonly elidedAttachmentTokens?: number;
  /** Recount of the whole new content, marker or note included; of the note alone if it is about attachments. */
  readonly contentTokens: number;
  /** Bytes of its texts as JSON, quotes not included, where the request has a budget of them. */
  readonly contentBytes?: number;
}
