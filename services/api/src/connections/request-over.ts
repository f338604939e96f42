import type { Socket } from 'node:net';
import { PreflightError } from '@preflight/core';
import type { FastifyInstance } from 'fastify';
import { probeHalfClosed } from './half-closed.js';
import { ANSWERED, Over } from './over.js';

declare module 'fastify' {
  interface FastifyRequest {
    over: Over;
    /** What it came over; `raw.socket` is gone once the body has failed. */
    connection: Socket;
  }
}

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
    request.over = new Over();
    const { socket } = request.raw;
    request.connection = socket;
    const end = () => {
      reply.raw.off('close', end);
      socket.off('close', end);
      socket.off('end', probe);
      request.over.end(reply.raw.writableFinished ? ANSWERED : new PreflightError('request_cancelled'));
    };
    const probe = () => probeHalfClosed(request, reply);
    socket.once('end', probe);
    reply.raw.once('close', end);
    // A pipelined answer has no socket before its turn comes, so it is not told when the caller leaves.
    socket.once('close', end);
    done();
  });
}
