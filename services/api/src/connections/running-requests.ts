import { setMaxListeners } from 'node:events';
import { PreflightError } from '@preflight/core';
import type { FastifyInstance } from 'fastify';

/** Routes that answer while the service stops, so that whoever watches it can see that it does. */
const ALWAYS_ANSWERED = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * Running requests and the end of a service:
 *
 *   serving --drain()--> draining (running requests finish, new ones get 503) --last one over--> drained
 */
export class RunningRequests {
  #running = 0;
  readonly #draining = new AbortController();
  readonly #whenDrained: (() => void)[] = [];

  /** `app` must be watched (`watchRequests`). */
  constructor(app: FastifyInstance) {
    // Each answer that would go on for ever listens; that is no leak.
    setMaxListeners(0, this.draining);
    app.addHook('onRequest', (request, reply, done) => {
      if (this.isDraining && !ALWAYS_ANSWERED.has(request.routeOptions.url ?? '')) {
        reply.header('connection', 'close');
        done(new PreflightError('shutting_down'));
        return;
      }
      this.#running += 1;
      request.over.when(() => {
        this.#running -= 1;
        this.#checkDrained();
      });
      done();
    });
  }

  get isDraining(): boolean {
    return this.draining.aborted;
  }

  /** Aborted when the service stops: for answers that would go on for ever. */
  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  /** Refuses new requests from now on; resolves when the last running one is over. Harmless when repeated. */
  drain(): Promise<void> {
    this.#draining.abort();
    return new Promise((resolve) => {
      this.#whenDrained.push(resolve);
      this.#checkDrained();
    });
  }

  #checkDrained(): void {
    if (this.isDraining && this.#running === 0) for (const resolve of this.#whenDrained) resolve();
  }
}
