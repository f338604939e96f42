import type { Socket } from 'node:net';
import { PreflightError } from '@preflight/core';
import type { FastifyInstance } from 'fastify';
import { probeHalfClosed } from './half-closed.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborted when the request is over: answered, or its caller gone, whichever way. */
    over: AbortSignal;
    /** What it came over; `raw.socket` is gone once the body has failed. */
    connection: Socket;
  }
}

/** Why the request is over in most cases; one for all, since to make an error takes longer than all else here. */
export const ANSWERED = new PreflightError('request_cancelled', { internalDetail: 'it was answered' });

/**
 * Gives every request its `over` and `connection`. To be called before anything that looks at it. A caller who has only finished sending
 * has not left.
 */
export function watchRequests(app: FastifyInstance): void {
  // Else Node closes a connection as soon as its other side has finished sending.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.decorateRequest('over');
  app.decorateRequest('connection');
  app.addHook('onRequest', (request, reply, done) => {
    const controller = new AbortController();
    request.over = controller.signal;
    const { socket } = request.raw;
    request.connection = socket;
    const end = () => {
      reply.raw.off('close', end);
      socket.off('close', end);
      socket.off('end', probe);
      controller.abort(reply.raw.writableFinished ? ANSWERED : new PreflightError('request_cancelled'));
    };
    const probe = () => probeHalfClosed(request, reply);
    socket.once('end', probe);
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
