import { createHash } from 'node:crypto';
import { PreflightError } from '@preflight/core';

export interface Expected {
  /** SHA-256 of all bytes, in hex. */
  readonly digest: string;
  readonly limitBytes: number;
}

/**
 * The chunks as they come, digested in passing, and an error in place of their end if they are not those expected.
 *
 * @throws PreflightError `body_too_large` as soon as that is known; `digest_mismatch`; `request_cancelled` if the
 * chunks end by an error, which is its cause; the error itself if it has a code.
 */
export async function* verified(
  chunks: AsyncIterable<Uint8Array>,
  { digest, limitBytes }: Expected,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of unlessBroken(chunks)) {
    sizeBytes += chunk.length;
    refuseOver(limitBytes, sizeBytes);
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== digest)
    throw new PreflightError('digest_mismatch', { params: { size_bytes: sizeBytes } });
}

/** Throws `body_too_large`. */
export function refuseOver(limitBytes: number, sizeBytes: number): void {
  if (sizeBytes <= limitBytes) return;
  throw new PreflightError('body_too_large', {
    publicDetail: `The attachment has ${sizeBytes} bytes or more; the limit is ${limitBytes}.`,
    params: { limit_bytes: limitBytes, size_bytes: sizeBytes },
  });
}

async function* unlessBroken(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (cause) {
    throw cause instanceof PreflightError ? cause : new PreflightError('request_cancelled', { cause });
  }
}
