import type { Log } from '@preflight/runtime';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its answer is written while time goes by; it bounds by itself how long that may stand still. */
    isOngoing?: boolean;
  }
}

/**
 * Gives every answer so long to be taken by its caller, then closes the connection: whoever asks and does not read
 * must not have his answer kept for him for ever. `app` must be watched (`watchRequests`).
 */
export function boundDepartures(
  app: FastifyInstance,
  { departMs, log }: { departMs: number; log: Log },
): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.routeOptions.config.isOngoing) return done(null, payload);
    const timer = setTimeout(() => {
      // Of many pipelined answers, one is noted.
      if (request.connection.destroyed) return;
      log.info({ requestId: request.id, depart_ms: departMs }, 'answer not taken');
      request.connection.destroy();
    }, departMs);
    request.over.when(() => clearTimeout(timer));
    done(null, payload);
  });
}
