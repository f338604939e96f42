import { PreflightError } from '@preflight/core';
import type { FastifyRequest } from 'fastify';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/**
 * JSON is UTF-8 (RFC 8259 §8.1). A sender who says that it is something else is refused with `unsupported_media_type`,
 * since the same bytes may be another text in UTF-8.
 */
export function refuseOtherCharsets({ headers }: FastifyRequest): void {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return;
  throw new PreflightError('unsupported_media_type', {
    publicDetail: 'The body must be JSON in UTF-8: no other charset is supported.',
  });
}
