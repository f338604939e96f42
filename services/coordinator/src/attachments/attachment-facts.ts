import type { MediaPricing } from '@preflight/accounting';
import { BlobText, type MediaFacts, type MediaPart, PreflightError } from '@preflight/core';
import { type MediaFactsOptions, type MediaStores, mediaFacts } from '../facts/media-facts.js';
import type { PlannedAttachment } from './plan-attachment.js';

/**
 * What each attachment is, in order. What the caller states, and what no provider looks at, is not read. Rejects with
 * `unknown_digests` where files that came apart decide and are neither known nor stored, and with the pool's codes.
 */
export async function attachmentFacts(
  stores: MediaStores,
  planned: readonly PlannedAttachment[],
  { accounting, stated }: MediaPricing,
  options: MediaFactsOptions,
): Promise<MediaFacts[]> {
  const facts = planned.map((): MediaFacts => NOT_HERE);
  const read: { readonly owner: number; readonly part: MediaPart }[] = [];
  for (const [owner, { media }] of planned.entries())
    if (media !== undefined && stated.get(owner)?.facts === undefined) read.push({ owner, part: media });
  if (read.length === 0) return facts;
  const parts = read.map(({ part }) => part);
  const found = await mediaFacts(stores, parts, options).catch((error: unknown) => {
    const isGone = error instanceof PreflightError && error.code === 'unknown_digests';
    if (!isGone || accounting === 'provider') throw error;
    // Counts outlive files, and what the provider makes of them is only told here.
    return mediaFacts(stores, parts.map(withoutBlob), options);
  });
  for (const [i, { owner }] of read.entries()) facts[owner] = found[i] as MediaFacts;
  return facts;
}

const NOT_HERE: MediaFacts = { kind: 'unreadable', reason: 'not_here' };

function withoutBlob({ data, ...part }: MediaPart): MediaPart {
  return data === undefined || data instanceof BlobText ? part : { ...part, data };
}
