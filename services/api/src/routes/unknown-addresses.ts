import { PreflightError } from '@preflight/core';
import type { FastifyInstance } from 'fastify';

/**
 * Refuses requests to addresses that are not there (`not_found`), or that do not take their method
 * (`method_not_allowed`, with `Allow`), before their bodies are looked at: nothing in a body can make an address
 * right, and nobody waits for one to be parsed. `allowedMethods` tells the methods of an address, none if it is not there.
 */
export function refuseUnknownAddresses(
  app: FastifyInstance,
  allowedMethods: (url: string) => readonly string[],
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const allowed = allowedMethods(request.url);
    if (allowed.length === 0) return done(new PreflightError('not_found'));
    reply.header('allow', allowed.join(', '));
    done(new PreflightError('method_not_allowed'));
  });
}
