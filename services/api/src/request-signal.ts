import { PreflightError } from '@preflight/core';
import type { FastifyReply } from 'fastify';

/** Aborts when the caller leaves (`request_cancelled`) or the deadline passes (`deadline_exceeded`). */
export function requestSignal(reply: FastifyReply, deadlineMs: number): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new PreflightError('deadline_exceeded', {
        publicDetail: `The work was not finished within ${deadlineMs} ms and has been stopped.`,
        params: { deadline_ms: deadlineMs },
      }),
    );
  }, deadlineMs);
  reply.raw.once('close', () => {
    clearTimeout(timer);
    if (!reply.raw.writableFinished) controller.abort(new PreflightError('request_cancelled'));
  });
  return controller.signal;
}
