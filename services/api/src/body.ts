import type { IncomingMessage } from 'node:http';
import { parseBody, receiveBody } from '@preflight/body';
import type { Json } from '@preflight/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Admission } from './admission.js';
import { whenAborted } from './request-over.js';

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
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage): Promise<Json> => {
      const announced = request.headers['content-length'];
      const contentLength = announced === undefined ? undefined : Number(announced);
      // A body of unknown length may become as long as any, until it has been received.
      const permit = admission.admit(Math.min(contentLength ?? bodyLimitBytes, bodyLimitBytes));
      whenAborted(request.over, () => permit.release());
      const bytes = await receiveBody(payload, { limitBytes: bodyLimitBytes, contentLength });
      permit.shrink(bytes.length);
      return parseBody(bytes);
    },
  );
  return admission;
}
