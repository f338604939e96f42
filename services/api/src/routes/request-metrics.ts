import type { Metrics } from '@preflight/runtime';
import type { FastifyInstance } from 'fastify';

/** For requests whose callers left before they were answered, as in the error catalog. */
const LEFT = 499;

/** Measures every request, also those whose callers leave. `app` must be watched (`watchRequests`). */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.over.when(() => {
      const { url = 'none', config } = request.routeOptions;
      // How long these last is up to their callers.
      if (config.isOngoing) return;
      const status = reply.raw.writableFinished ? reply.statusCode : LEFT;
      metrics.requestEnded(url, status, reply.elapsedTime / 1000);
    });
    done();
  });
}
