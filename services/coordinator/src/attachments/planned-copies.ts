import { gatedTokens, type MediaPricing } from '@preflight/accounting';
import { BlobPiece, type Copy, type Referring, TextRange } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import { base64Bytes, type PlannedAttachment } from './plan-attachment.js';
import type { PricedAttachment } from './price-attachments.js';

/** An attachment of which there are several with the same content, before its text is counted. Numbers only, so that it travels. */
export interface PlannedCopy extends Omit<Copy, 'tokens'> {
  /** Position of its text in the list of countables; or what it counts without one. */
  readonly tokens: { readonly countable: number } | number;
}

/** Those of the attachments that have a name in common with others (`attachmentNames`), in their order. */
export async function plannedCopies(
  planned: readonly PlannedAttachment[],
  names: readonly (string | undefined)[],
  priced: readonly PricedAttachment[] = [],
  pricing: MediaPricing | undefined,
): Promise<PlannedCopy[]> {
  const turn = new Turn();
  const counts = new Map<string, number>();
  await turn.each(names, (name) => {
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  });
  const contents = new Map<string, number>();
  const copies: PlannedCopy[] = [];
  let position = 0;
  await turn.each(planned, ({ message: index, payload, countable }, owner) => {
    position = planned[owner - 1]?.message === index ? position + 1 : 0;
    const name = names[owner];
    if (name === undefined || (counts.get(name) ?? 0) < 2) return;
    const content = contents.get(name) ?? contents.size;
    contents.set(name, content);
    const provider = pricing?.accounting === 'provider' ? priced[owner]?.provider : undefined;
    const tokens = pricing && provider ? gatedTokens(provider, pricing.gate) : { countable };
    copies.push({ index, position, content, bytes: fileBytesIn(payload), tokens });
  });
  return copies;
}

/** Bytes of the file as it is written; those of short ones are not told. */
function fileBytesIn(payload: Referring): number {
  let bytes = 0;
  for (const piece of payload) {
    if (piece instanceof BlobPiece) bytes += piece.as === 'base64' ? base64Bytes(piece.blob.byteLength) : 0;
    else if (typeof piece !== 'string') {
      const text = piece instanceof TextRange ? piece : piece.text;
      bytes += typeof text === 'string' ? 0 : text.byteLength;
    }
  }
  return bytes;
}
