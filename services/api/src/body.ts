import type { IncomingMessage } from 'node:http';
import { parseBodySteps, receiveBody, type SharedBytes } from '@preflight/body';
import { type Json, PreflightError } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Admission } from './admission.js';
import { BodyBuffers } from './body-buffers.js';
import { whenAborted } from './request-over.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory of the body, if there is one. */
    bodyBytes?: SharedBytes;
  }
}

/** Free memory that is kept for the next bodies. */
const KEPT_BYTES = 64 * 1024 * 1024;

export interface BodyLimits {
  readonly bodyLimitBytes: number;
  /** All bodies at one time. */
  readonly queueLimitBytes: number;
}

/**
 * Bodies come as bytes, straight into shared memory, and are parsed without making strings of the long texts in them.
 * Throws `overloaded` before anything is read, and the codes of `receiveBody` and `parseBody`. `app` must be watched
 * (`watchRequests`).
 */
export function takeJsonBodies(
  app: FastifyInstance,
  { bodyLimitBytes, queueLimitBytes }: BodyLimits,
): Admission {
  const admission = new Admission(queueLimitBytes);
  const buffers = new BodyBuffers(KEPT_BYTES);
  app.decorateRequest('bodyBytes');
  // An answer that was asked for and has left: no thread works on the body any more, and nothing of it is to be sent.
  app.addHook('onResponse', (request, reply, done) => {
    if (request.bodyBytes && reply.statusCode === 200 && reply.raw.writableFinished)
      buffers.giveBack(request.bodyBytes);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage): Promise<Json> => {
      refuseEncoded(request.headers['content-encoding']);
      const announced = request.headers['content-length'];
      const contentLength = announced === undefined ? undefined : Number(announced);
      // A body of unknown length may become as long as any, until it has been received.
      const permit = admission.admit(Math.min(contentLength ?? bodyLimitBytes, bodyLimitBytes));
      whenAborted(request.over, () => permit.release());
      const allocate = (sizeBytes: number) => buffers.take(sizeBytes);
      const bytes = await receiveBody(payload, { limitBytes: bodyLimitBytes, contentLength, allocate });
      request.bodyBytes = bytes;
      permit.shrink(bytes.length);
      return new Turn().drive(parseBodySteps(bytes));
    },
  );
  return admission;
}

/** A body is taken as it is: to unpack one is to let its sender choose how much memory it takes. */
function refuseEncoded(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || contentEncoding.trim().toLowerCase() === 'identity') return;
  throw new PreflightError('unsupported_media_type', {
    publicDetail: 'The body must come as it is: no Content-Encoding but identity is supported.',
  });
}
