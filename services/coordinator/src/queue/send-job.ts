import { MAX_AHEAD_BYTES, type NewJob, type Storage } from '@preflight/storage';
import { patiently } from './patience.js';
import type { QueuedJob } from './queued-job.js';

/**
 * Puts a new job into the queue, and what it alone needs into the payload store: both in one write where that is small.
 * Fails at once if the store does not take it, and then nobody is going to do the job; but what the queue may have taken
 * without being able to say so it is given again, for some seconds.
 */
export async function sendJob(
  { payloads, jobs }: Pick<Storage<QueuedJob>, 'payloads' | 'jobs'>,
  job: NewJob<QueuedJob>,
  own: { readonly bytes: Uint8Array; readonly lifetimeMs: number },
  signal: AbortSignal,
): Promise<void> {
  const storing = payloads.putOwn(job.id, own.bytes, own.lifetimeMs);
  if (own.bytes.length > MAX_AHEAD_BYTES) await storing;
  const [stored, added] = await Promise.allSettled([storing, jobs.add({ ...job, isNew: true })]);
  if (stored.status === 'rejected') {
    await jobs.cancel(job.id).catch(() => undefined);
    throw stored.reason;
  }
  await patiently(async (attempt) => {
    if (attempt > 0) await jobs.add({ ...job, isNew: false });
    else if (added.status === 'rejected') throw added.reason;
  }, signal);
}
