import { PreflightError } from '@preflight/core';
import type { FastifyInstance } from 'fastify';

/** Routes that answer while the service stops, so that whoever watches it can see that it does. */
const ALWAYS_ANSWERED = new Set(['/health/live', '/health/ready']);

/**
 * Running requests and the end of a service:
 *
 *   serving --drain()--> draining (running requests finish, new ones get 503) --last one over--> drained
 */
export class RunningRequests {
  #running = 0;
  #isDraining = false;
  #onIdle: (() => void) | undefined;

  constructor(app: FastifyInstance) {
    app.addHook('onRequest', (request, reply, done) => {
      if (this.#isDraining && !ALWAYS_ANSWERED.has(request.routeOptions.url ?? '')) {
        reply.header('connection', 'close');
        done(new PreflightError('shutting_down'));
        return;
      }
      this.#running += 1;
      reply.raw.once('close', () => {
        this.#running -= 1;
        if (this.#running === 0) this.#onIdle?.();
      });
      done();
    });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Refuses new requests from now on; resolves when the last running one is over. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }
}
