import { toSharedBytes } from '@preflight/body';
import { TextRange } from '@preflight/core';
import type { Pool } from '@preflight/pool';
import type { CountCache, Digest, JobId, PayloadStore } from '@preflight/storage';
import type { Prepared } from '../prepared.js';
import type { RequestText } from '../texts/distinct-texts.js';
import { holdBlobs } from '../texts/hold-blobs.js';
import { liftTexts } from './lift-texts.js';
import { patientlyOnceSent } from './patience.js';
import type { QueuedJob } from './queued-job.js';
import { writeSkeleton } from './skeleton.js';

export interface RequestStoreParts {
  /** Makes digests; nothing is counted here. */
  readonly pool: Pool;
  readonly payloads: PayloadStore;
  /** Whose counts need no file. */
  readonly cache: CountCache;
  /** How long what a job needs is kept if nobody tells that it is not needed any more, as after a crash. */
  readonly payloadLifetimeMs: number;
}

/** Texts that are on their way to the store at a time. */
const PUTS_AT_ONCE = 4;

/** What is left of a request whose long texts are stored: what its job says, and what it alone needs. */
export interface StoredRequest {
  readonly data: QueuedJob;
  readonly skeleton: Uint8Array;
}

/**
 * Stores the long texts of a request under a lease of the job. Those that the store has are not sent again, files that
 * the request names by digest must be there. Rejects with `unknown_digests`, `storage_unavailable` and
 * `overloaded` of the store, and what the signal was aborted with.
 */
export async function storeRequest(
  { pool, payloads, cache, payloadLifetimeMs: lifetimeMs }: RequestStoreParts,
  id: JobId,
  prepared: Prepared<RequestText>,
  signal: AbortSignal,
): Promise<StoredRequest> {
  await holdBlobs({ cache, payloads }, prepared.texts, { lease: id, lifetimeMs });
  const { references, ranges } = await liftTexts(pool, prepared.texts, { signal });
  const put = (digest: Digest, range: TextRange) =>
    patientlyOnceSent(() => payloads.put(digest, range.bytes(), { lease: id, lifetimeMs }), signal);
  const lease = () => payloads.lease(id, [...ranges.keys()], lifetimeMs);
  const missing = ranges.size > 0 ? await patientlyOnceSent(lease, signal) : [];
  for (let i = 0; i < missing.length; i += PUTS_AT_ONCE) {
    signal.throwIfAborted();
    const batch = missing.slice(i, i + PUTS_AT_ONCE);
    await Promise.all(batch.map((digest) => put(digest, ranges.get(digest) as TextRange)));
  }
  const skeleton = await writeSkeleton(prepared, references);
  const storedBytes = [...ranges.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const sizes = {
    messages: prepared.ledger.isUser.length,
    texts: prepared.texts.length,
    skeletonBytes: skeleton.length,
    storedBytes,
  };
  return { data: { kind: kindOf(prepared), sizes }, skeleton };
}

function kindOf({ fit, trimming }: Prepared): QueuedJob['kind'] {
  if (fit) return 'preflight';
  return trimming ? 'list' : 'count';
}

/** As the pool digests texts. */
export async function digestOf(pool: Pool, range: TextRange, signal: AbortSignal): Promise<Digest> {
  const [digest] = await pool.digestAll([[range]], { signal });
  return (digest as { hex: Digest }).hex;
}

/** The bytes as a range that threads can read; copied unless they are shared already. */
export function rangeOf(bytes: Uint8Array): TextRange {
  const { buffer, byteOffset, byteLength } = toSharedBytes(bytes);
  return new TextRange(buffer, byteOffset, byteOffset + byteLength);
}
