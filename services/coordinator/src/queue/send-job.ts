import { MAX_AHEAD_BYTES, type NewJob, type Storage, UnansweredError } from '@preflight/storage';
import { patiently } from './patience.js';
import type { QueuedJob } from './queued-job.js';

/**
 * Puts a new job into the queue, and what it alone needs into the payload store: both in one write where that is small.
 * Fails at once if the store does not take it, and then nobody is going to do the job; but what either may have taken
 * without being able to say so is given again under the same id, for some seconds.
 */
export async function sendJob(
  { payloads, jobs }: Pick<Storage<QueuedJob>, 'payloads' | 'jobs'>,
  job: NewJob<QueuedJob>,
  own: { readonly bytes: Uint8Array; readonly lifetimeMs: number },
  signal: AbortSignal,
): Promise<void> {
  const send = (isNew: boolean) => {
    const storing = payloads.putOwn(job.id, own.bytes, own.lifetimeMs);
    const add = () => jobs.add({ ...job, isNew });
    return Promise.allSettled([storing, own.bytes.length > MAX_AHEAD_BYTES ? storing.then(add) : add()]);
  };
  const sent = await send(true);
  const [stored] = sent;
  if (stored.status === 'rejected' && !(stored.reason instanceof UnansweredError)) {
    await jobs.cancel(job.id).catch(() => undefined);
    throw stored.reason;
  }
  await patiently(async (attempt) => {
    const parts = attempt === 0 ? sent : await send(false);
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
  }, signal);
}
