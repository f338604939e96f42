import {
  BlobText,
  type MediaFacts,
  type MediaKind,
  type MediaPart,
  mediaKindOfType,
  TextRange,
} from '@preflight/core';
import { type InspectedFile, type Pool, READERS_VERSION, type WorkOptions } from '@preflight/pool';
import { type CountCache, CountKeys, type PayloadStore } from '@preflight/storage';
import { factsOfNumber, numberOfFacts } from './facts-number.js';
import { unknownDigests } from './stored-text.js';

export interface MediaStores {
  readonly pool: Pool;
  readonly cache: CountCache;
  readonly payloads: PayloadStore;
}

/**
 * What each file is, in order: read from its bytes by a thread. What nobody can read is `unreadable`, and no error; a file that only
 * the provider can get is `unreadable` because it is `not_here`.
 *
 * A file that stands in the request is read where it stands, since its header costs less than its digest: some 20 µs of a
 * thread's time. One that came apart (`PUT /v1/blobs`) is known by its digest: it is fetched and read once, and never again while
 * the cache remembers, whatever becomes of its bytes. Rejects with `unknown_digests` for one that is neither known nor stored,
 * and with the pool's codes.
 */
export async function mediaFacts(
  { pool, cache, payloads }: MediaStores,
  parts: readonly MediaPart[],
  options: WorkOptions,
): Promise<MediaFacts[]> {
  const kinds = parts.map(kindOf);
  const facts = parts.map((_, i) => notHere(kinds[i]));
  const blobs = parts.map(({ data }) => (data instanceof BlobText ? data.blob : undefined));
  const keys = blobs.map((blob, i) => blob && keysOf(kinds[i]).ofDigest(blob.sha256));
  const known = await knownFacts(cache, keys);
  const files: (InspectedFile & { readonly owner: number })[] = [];
  for (const [owner, { data }] of parts.entries()) {
    const kind = kinds[owner];
    const blob = blobs[owner];
    const ofBlob = known[owner];
    if (ofBlob !== undefined) facts[owner] = ofBlob;
    else if (blob !== undefined)
      files.push({ owner, data: await blobBytes(payloads, blob.sha256), form: 'bytes', kind });
    else if (data !== undefined && !(data instanceof BlobText))
      files.push({ owner, data, form: 'encoded', kind });
  }
  if (files.length === 0) return facts;
  const read = await pool.inspectAll(
    files.map(({ owner, ...file }) => file),
    options,
  );
  const found: [(typeof keys)[number] & string, number][] = [];
  for (const [i, { owner }] of files.entries()) {
    const ofFile = read[i] as MediaFacts;
    facts[owner] = ofFile;
    const key = keys[owner];
    const number = key && numberOfFacts(ofFile);
    if (key !== undefined && number !== undefined) found.push([key, number]);
  }
  if (found.length > 0) await cache.setMany(found);
  return facts;
}

/** By what the place says, or else by the stated type. */
function kindOf({ kind, mimeType }: MediaPart): MediaKind | undefined {
  return kind ?? (mimeType === undefined ? undefined : mediaKindOfType(mimeType));
}

function notHere(as: MediaKind | undefined): MediaFacts {
  return { kind: 'unreadable', reason: 'not_here', ...(as && { as }) };
}

const keysByKind = new Map<MediaKind | undefined, CountKeys>();

/** Facts are kept where counts are, under keys of their own: what a file is said to be decides where its bytes do not tell. */
function keysOf(kind: MediaKind | undefined): CountKeys {
  let keys = keysByKind.get(kind);
  if (keys === undefined) {
    keys = new CountKeys({ encoding: 'media facts', vocabularyVersion: `${READERS_VERSION} ${kind ?? ''}` });
    keysByKind.set(kind, keys);
  }
  return keys;
}

async function knownFacts(
  cache: CountCache,
  keys: readonly (ReturnType<CountKeys['ofDigest']> | undefined)[],
): Promise<readonly (MediaFacts | undefined)[]> {
  const asked = keys.filter((key) => key !== undefined);
  if (asked.length === 0) return [];
  const numbers = (await cache.getMany(asked)).values();
  return keys.map((key) => {
    const number = key && numbers.next().value;
    return number === undefined ? undefined : factsOfNumber(number);
  });
}

async function blobBytes(payloads: PayloadStore, sha256: string): Promise<TextRange> {
  const bytes = await payloads.get(sha256);
  if (bytes === undefined) throw unknownDigests([sha256]);
  return new TextRange(bytes.buffer, bytes.byteOffset, bytes.byteOffset + bytes.length);
}
