import type { MediaPricing } from '@preflight/accounting';
import {
  type Attachment,
  BlobPiece,
  type MediaPart,
  type Referring,
  type UnreadableReason,
} from '@preflight/core';

/** An attachment of a conversation, before anything of it is known. */
export interface PlannedAttachment {
  /** Position of its message, and whose that is. */
  readonly message: number;
  readonly role: string;
  /** Position of its text in the list of countables, or `NOT_COUNTED`. */
  readonly countable: number;
  /** The text that goes over the wire, and about how long it is. */
  readonly payload: Referring;
  readonly payloadBytes: number;
  /** What the provider looks at; undefined for what counts as the text that it travels as, by either accounting. */
  readonly media: MediaPart | undefined;
  /** What its first and last bytes tell, whatever is stated of it. */
  readonly unreadable?: UnreadableReason;
}

/** In place of a position: the text is too long to be counted only to be told. */
export const NOT_COUNTED = -1;

/** Up to here a text is counted where it is met, at no cost to speak of. */
const SMALL_BYTES = 8 * 1024;

/** Whether an attachment counts as the text that goes over the wire, and whether that text is counted at all. */
export function planAttachment(
  { media }: Attachment,
  countable: Referring,
  pricing: MediaPricing | undefined,
): Pick<PlannedAttachment, 'media' | 'payload' | 'payloadBytes'> & {
  readonly decides: boolean;
  readonly isCounted: boolean;
} {
  const decides = pricing?.accounting !== 'provider' || media === undefined;
  const payloadBytes = bytesOf(countable);
  return {
    media,
    payload: countable,
    payloadBytes,
    decides,
    isCounted: decides || payloadBytes <= SMALL_BYTES,
  };
}

/** About: what is escaped when it is written grows. */
function bytesOf(countable: Referring): number {
  let bytes = 0;
  for (const piece of countable) {
    if (piece instanceof BlobPiece) bytes += piece.as === 'base64' ? base64Bytes(piece.blob.byteLength) : 0;
    else {
      const text = typeof piece === 'string' || !('as' in piece) ? piece : piece.text;
      bytes += typeof text === 'string' ? text.length : text.byteLength;
    }
  }
  return bytes;
}

/** Letters that the base64 of a file of so many bytes has, padding included. */
export function base64Bytes(byteLength: number): number {
  return 4 * Math.ceil(byteLength / 3);
}
