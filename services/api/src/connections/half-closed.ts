import type { FastifyReply, FastifyRequest } from 'fastify';

/** How soon a caller who has left is found out, twice. */
const PROBE_MS = 250;

/**
 * Tells callers who have left from those who have only finished sending (`shutdown(SHUT_WR)`), which look the same on
 * the wire until something is sent to them: a machine whose program has closed the connection answers with a reset. So
 * while the answer is not ready, an interim `100 Continue` is sent now and then, which every HTTP/1.1 client skips
 * (RFC 9110 §15.2), and which HTTP/1.0 does not know: there, work goes on to its end.
 */
export function probeHalfClosed(request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.httpVersion === '1.0') return;
  const probe = setInterval(() => {
    // A pipelined answer has no socket before its turn comes; those before it probe for it.
    if (reply.raw.socket && !reply.raw.headersSent) reply.raw.writeContinue();
  }, PROBE_MS);
  request.over.when(() => clearInterval(probe));
}
