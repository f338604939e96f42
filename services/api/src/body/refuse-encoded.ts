import { PreflightError } from '@preflight/core';
import type { FastifyInstance } from 'fastify';

/**
 * Bodies are taken as they are, of whatever kind: to unpack one is to let its sender choose how much memory it takes.
 * Others are refused with `unsupported_media_type`.
 */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase();
    if (encoding === undefined || encoding === '' || encoding === 'identity') return done();
    done(
      new PreflightError('unsupported_media_type', {
        publicDetail: 'The body must come as it is: no Content-Encoding but identity is supported.',
      }),
    );
  });
}
