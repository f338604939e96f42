import type { MediaFacts, MediaKind, UnreadableReason } from '@preflight/core';
import type { Figure } from '../figure.js';
import type { MediaConditions } from './conditions.js';
import type { MediaFigure } from './media-figure.js';
import type { ModelRules } from './rules-for-model.js';

/** What an attachment counts as: the text that goes over the wire, or what the provider makes of it. */
export const ACCOUNTINGS = ['payload', 'provider'] as const;
export type Accounting = (typeof ACCOUNTINGS)[number];

/** Which number of the provider's figure decides whether a request fits. */
export const GATES = ['high', 'point'] as const;
export type Gate = (typeof GATES)[number];

/** What a caller says of an attachment. */
export interface StatedMedia {
  readonly kind: MediaKind | undefined;
  /** Undefined where only conditions were stated. */
  readonly facts: MediaFacts | undefined;
  readonly conditions: MediaConditions;
}

/** How the attachments of a request are counted. */
export interface MediaPricing {
  readonly accounting: Accounting;
  readonly gate: Gate;
  /** Those of the request's model. */
  readonly rules: ModelRules;
  /** What the caller says of attachments, by their number in the conversation. */
  readonly stated: ReadonlyMap<number, StatedMedia>;
  /** Images that count beside the conversation. */
  readonly imagesBeside: number;
}

/** An attachment by both accountings. */
export interface AttachmentFigures {
  /** Position of its message. */
  readonly message: number;
  readonly kind: MediaKind | null;
  readonly payload: Figure;
  readonly provider: MediaFigure;
  /** Why the file cannot be read as what it is said to be; absent of what counts as its text by either accounting. */
  readonly unreadable?: UnreadableReason;
}

/** The tokens that an attachment counts with where it is decided whether a request fits. */
export function gatedTokens(figure: MediaFigure, gate: Gate): number {
  return gate === 'high' ? figure.high : (figure.tokens ?? figure.high);
}
