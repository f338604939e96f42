import { createHash, randomUUID } from 'node:crypto';
import { PreflightError } from '@preflight/core';
import type { JobId, WriteOnceStore } from '@preflight/storage';

/** What answers a key: the job, and the request that it was made for. */
interface Claim {
  readonly jobId: JobId;
  readonly request: string;
}

const UUID_LENGTH = 36;

/**
 * The job that answers an idempotency key, whether it has been begun or not: of those who ask at the same time one decides
 * for all. `request` tells requests apart. The key is bound for `lifetimeMs`, or until the result of its job has gone
 * (`settleJob`). Throws `idempotency_key_reused` while it is bound to another request.
 */
export async function claimJob(
  claims: WriteOnceStore,
  key: string,
  request: string,
  lifetimeMs: number,
): Promise<JobId> {
  const name = createHash('sha256').update(key).digest('base64url');
  for (;;) {
    const claim: Claim = { jobId: `${name}_${randomUUID()}`, request };
    if (await claims.putOnce(name, Buffer.from(JSON.stringify(claim)), lifetimeMs)) return claim.jobId;
    const stands = await claims.get(name);
    // Else it has expired in this moment.
    if (stands === undefined) continue;
    const { jobId, request: claimed }: Claim = JSON.parse(stands.toString());
    if (claimed !== request) throw new PreflightError('idempotency_key_reused');
    return jobId;
  }
}

/** The name of the claim that a job was made for, if it was made for one: whoever ends it knows nothing but its id. */
export function claimOf(id: JobId): string | undefined {
  return id.length > UUID_LENGTH ? id.slice(0, -UUID_LENGTH - 1) : undefined;
}
