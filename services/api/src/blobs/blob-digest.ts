import { PreflightError } from '@preflight/core';

const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/;

/** The 64 hexadecimal digits of an address, which may stand behind `sha256:` as in a request. Throws `malformed_digest`. */
export function blobDigest(text: string): string {
  const digest = DIGEST.exec(text)?.[1];
  if (digest === undefined) throw new PreflightError('malformed_digest');
  return digest;
}
