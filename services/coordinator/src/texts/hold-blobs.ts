import type { CountCache, PayloadStore } from '@preflight/storage';
import type { RequestText } from './distinct-texts.js';
import { StoredCountable, unknownDigests } from './stored-text.js';

/**
 * Holds the files that have to be read, because the counts of texts that refer to them are not known. A count outlives
 * its file, which nobody needs then. Rejects with `unknown_digests`, naming all that are missing.
 */
export async function holdBlobs(
  { cache, payloads }: { readonly cache: CountCache; readonly payloads: PayloadStore },
  texts: readonly RequestText[],
  { lease, lifetimeMs }: { readonly lease: string; readonly lifetimeMs: number },
): Promise<void> {
  const referring = texts.filter((text) => text instanceof StoredCountable);
  if (referring.length === 0) return;
  const known = await cache.getMany(referring.map(({ key }) => key));
  const needed = new Set(referring.filter((_, i) => known[i] === undefined).flatMap(({ blobs }) => blobs));
  if (needed.size === 0) return;
  const missing = await payloads.lease(lease, [...needed], lifetimeMs);
  if (missing.length > 0) throw unknownDigests(missing);
}
