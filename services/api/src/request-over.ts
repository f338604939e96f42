import { PreflightError } from '@preflight/core';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborted when the request is over: answered, or its caller gone, whichever way. */
    over: AbortSignal;
  }
}

/** Gives every request its `over`. To be called before anything that looks at it. */
export function watchRequests(app: FastifyInstance): void {
  app.decorateRequest('over');
  app.addHook('onRequest', (request, reply, done) => {
    const controller = new AbortController();
    request.over = controller.signal;
    const { socket } = request.raw;
    const end = () => {
      reply.raw.off('close', end);
      socket.off('close', end);
      controller.abort(new PreflightError('request_cancelled'));
    };
    reply.raw.once('close', end);
    // A pipelined answer has no socket before its turn comes, so it is not told when the caller leaves.
    socket.once('close', end);
    done();
  });
}

/** Calls back once: when the signal is aborted, or now if it has been. */
export function whenAborted(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, { once: true });
}
