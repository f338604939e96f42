import type { JobId, Storage } from '@preflight/storage';
import { claimOf } from './claim.js';
import { encodeEnd, type JobEnd } from './job-end.js';
import type { QueuedJob } from './queued-job.js';

/**
 * Writes down what a job came to, if nobody has, and lets go of what it needed; the request that it answers is kept as
 * long as its end, and so is the key by which it was asked for. May be repeated, also by others.
 */
export async function settleJob(
  { payloads, results, claims }: Pick<Storage<QueuedJob>, 'payloads' | 'results' | 'claims'>,
  id: JobId,
  end: JobEnd,
  lifetimeMs: number,
): Promise<void> {
  // Before the end is known, so that whoever learns of it can be answered.
  if ('body' in end && end.body) await payloads.lease(`${id}-answer`, [end.body.digest], lifetimeMs);
  const claim = claimOf(id);
  // Before, too: who finds the result gone finds the key free.
  if (claim !== undefined) await claims.expireIn(claim, lifetimeMs);
  await results.putOnce(id, encodeEnd(end), lifetimeMs);
  // What is not let go, because Redis is away, ends by its lifetime.
  await payloads.release([id]).catch(() => undefined);
}
