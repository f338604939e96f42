import { PreflightError } from '@preflight/core';
import type { FastifyInstance } from 'fastify';

/**
 * Bodies are taken as they are, of whatever kind: to unpack one is to let its sender choose how much memory it takes.
 * Others are refused with `unsupported_media_type`, whether packed as content or for the way (RFC 9112 §6.1).
 */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!['', 'identity'].includes(codingsOf(headers['content-encoding'])))
      return done(notAsItIs('no Content-Encoding but identity is supported'));
    if (!['', 'chunked'].includes(codingsOf(headers['transfer-encoding'])))
      return done(notAsItIs('no Transfer-Encoding but chunked is supported'));
    done();
  });
}

function codingsOf(header = ''): string {
  return header.trim().toLowerCase();
}

function notAsItIs(reason: string): PreflightError {
  return new PreflightError('unsupported_media_type', {
    publicDetail: `The body must come as it is: ${reason}.`,
  });
}
