import { ERROR_CATALOG, type PreflightError } from '@preflight/core';
import type { Log, Metrics } from '@preflight/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusalFor } from '../problems/refusal-for.js';
import { isStillSending, lingeringAnswer } from './lingering-answer.js';

/** Answers a request with an error, which is counted and logged. Whoever is still sending is let finish, to read it. */
export function sendProblem(
  error: PreflightError,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    log,
    metrics,
    draining,
  }: { readonly log: Log; readonly metrics: Metrics; readonly draining: AbortSignal },
): FastifyReply {
  metrics.failed(error.code);
  const { logLevel, httpStatus } = ERROR_CATALOG[error.code];
  log[logLevel](
    {
      requestId: request.id,
      code: error.code,
      status: httpStatus,
      internal: error.internalDetail,
      err: error.code === 'internal_error' ? error.cause : undefined,
    },
    'request refused',
  );
  const { status, headers, body } = refusalFor(request, error);
  const payload = Buffer.from(JSON.stringify(body));
  reply.code(status).headers(headers);
  if (!isStillSending(request.raw)) return reply.send(payload);
  reply.headers({ connection: 'close', 'content-length': payload.length });
  return reply.send(lingeringAnswer(payload, request, draining));
}
