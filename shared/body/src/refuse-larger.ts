import { PreflightError } from '@preflight/core';

/** Throws PreflightError `body_too_large` for a body that has, or is known to become, more bytes than the limit. */
export function refuseLarger(limitBytes: number, sizeBytes: number): void {
  // Not the other way round: what was announced may be no number.
  if (sizeBytes > limitBytes)
    throw new PreflightError('body_too_large', {
      publicDetail: `The body has ${sizeBytes} bytes or more; the limit is ${limitBytes}.`,
      params: { limit_bytes: limitBytes, size_bytes: sizeBytes },
    });
}
