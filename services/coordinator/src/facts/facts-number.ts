import type { MediaFacts, MediaKind, UnreadableReason } from '@preflight/core';
import { MEDIA_TYPES } from '@preflight/pool';

/*
 * Facts as one number, so that they are kept where counts are: from the left a value of 40 bits, the type (6), and the kind (4).
 * Positions in these lists are kept, so that they are only ever added to at their ends.
 */
const KINDS = ['image', 'pdf', 'audio', 'video', 'text', 'unreadable'] as const;
const REASONS: readonly UnreadableReason[] = [
  'not_here',
  'unknown_type',
  'damaged',
  'encrypted',
  'too_large',
  'took_too_long',
  'no_base64',
];
const AS: readonly (MediaKind | undefined)[] = [undefined, 'image', 'pdf', 'audio', 'video', 'text'];

const KIND_RANGE = 2 ** 4;
const TYPE_RANGE = 2 ** 6;
const SIDE_RANGE = 2 ** 20;
const VALUE_RANGE = 2 ** 40;
const MS = 1000;

/** Facts but for tokens, which depend on an encoding. Undefined for what does not fit: it is read again. */
export function numberOfFacts(facts: MediaFacts): number | undefined {
  const value = numberIn(facts);
  if (!(value >= 0 && value < VALUE_RANGE)) return undefined;
  const type = 1 + (MEDIA_TYPES as readonly (string | undefined)[]).indexOf(facts.mimeType);
  return (value * TYPE_RANGE + type) * KIND_RANGE + KINDS.indexOf(facts.kind);
}

/** The facts again; of a text or a PDF without its tokens. Undefined for a number that no facts have. */
export function factsOfNumber(number: number): MediaFacts | undefined {
  const [left, kind] = split(number, KIND_RANGE);
  const [value, type] = split(left, TYPE_RANGE);
  const facts = factsOf(KINDS[kind], value);
  const mimeType = MEDIA_TYPES[type - 1];
  return facts && { ...facts, ...(mimeType && { mimeType }) };
}

function numberIn(facts: MediaFacts): number {
  switch (facts.kind) {
    case 'image':
      return facts.widthPx * SIDE_RANGE + facts.heightPx;
    case 'pdf':
      return facts.pages;
    case 'audio':
      return Math.round(facts.seconds * MS);
    case 'video':
      return Math.round(facts.seconds * MS) * 3 + (facts.hasAudio === undefined ? 0 : facts.hasAudio ? 2 : 1);
    case 'text':
      return 0;
    case 'unreadable':
      return REASONS.indexOf(facts.reason) * AS.length + AS.indexOf(facts.as);
  }
}

function factsOf(kind: (typeof KINDS)[number] | undefined, value: number): MediaFacts | undefined {
  switch (kind) {
    case 'image': {
      const [widthPx, heightPx] = split(value, SIDE_RANGE);
      return { kind, widthPx, heightPx };
    }
    case 'pdf':
      return { kind, pages: value };
    case 'audio':
      return { kind, seconds: value / MS };
    case 'video': {
      const [ms, audio] = split(value, 3);
      return { kind, seconds: ms / MS, ...(audio > 0 && { hasAudio: audio === 2 }) };
    }
    case 'text':
      return { kind, textTokens: 0 };
    case 'unreadable': {
      const [at, asAt] = split(value, AS.length);
      const as = AS[asAt];
      const reason = REASONS[at];
      return reason && { kind, reason, ...(as && { as }) };
    }
    default:
      return undefined;
  }
}

function split(number: number, range: number): [high: number, low: number] {
  return [Math.floor(number / range), number % range];
}
