import { PreflightError } from '@preflight/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failReceiving } from './fail-receiving.js';
import { isStillSending } from './lingering-answer.js';
import { whenAborted } from './when-aborted.js';

/** While the service stops, an upload is given up when it has been silent for this long, or up to twice as long. */
const SILENCE_MS = 1_000;

/**
 * Keeps callers who have stopped in the middle of sending from holding up the end of the service: from the start of
 * `draining` on, their requests fail with `shutting_down`. Uploads that go on are left to finish. `app` must be watched
 * (`watchRequests`).
 */
export function refuseSilentUploads(app: FastifyInstance, draining: AbortSignal): void {
  /** With the bytes that had come when it was looked at last. */
  const uploads = new Map<FastifyRequest, number>();
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onRequest', (request, _reply, done) => {
    if (isStillSending(request.raw)) {
      uploads.set(request, 0);
      request.over.when(() => uploads.delete(request));
    }
    done();
  });
  app.addHook('onClose', async () => clearInterval(timer));

  const look = () => {
    for (const [request, bytesBefore] of uploads) {
      const { bytesRead } = request.connection;
      // What has come and waits for us to read it is no silence of the caller.
      const isSilent = bytesRead === bytesBefore && request.raw.readableLength === 0;
      if (isSilent) failReceiving(request.raw, new PreflightError('shutting_down'));
      uploads.set(request, bytesRead);
    }
  };
  whenAborted(draining, () => {
    look();
    timer = setInterval(look, SILENCE_MS);
  });
}
