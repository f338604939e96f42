import type { IncomingMessage } from 'node:http';
import { parseBodySteps, receiveBody, type SharedBytes } from '@preflight/body';
import type { WatchBody } from '@preflight/contracts';
import type { Json } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Admission } from './admission.js';
import { BodyBuffers } from './body-buffers.js';
import { refuseOtherCharsets } from './refuse-charset.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory of the body, if there is one. */
    bodyBytes?: SharedBytes | undefined;
  }
}

/** Free memory that is kept for the next bodies. */
const KEPT_BYTES = 64 * 1024 * 1024;

export interface BodyOptions {
  readonly bodyLimitBytes: number;
  /** All bodies at one time, and what is made of them. */
  readonly queueLimitBytes: number;
  readonly onReceived?: (bytes: number) => void;
  readonly watchBody?: WatchBody | undefined;
}

/**
 * Bodies come as bytes, straight into shared memory, and are parsed without making strings of the long texts in them.
 * Throws `unsupported_media_type` for a charset other than UTF-8, `overloaded` as soon as the memory for what has come, or for what is to be made of it, is not there, and the
 * codes of `receiveBody` and `parseBody`. `app` must be watched (`watchRequests`).
 */
export function takeJsonBodies(
  app: FastifyInstance,
  { bodyLimitBytes, queueLimitBytes, onReceived, watchBody }: BodyOptions,
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
      refuseOtherCharsets(request);
      const announced = request.headers['content-length'];
      const contentLength = announced === undefined ? undefined : Number(announced);
      const permit = admission.admit(0);
      request.over.when(() => permit.release());
      // What needs more than there is gets all there is, and is then alone.
      const hold = (bytes: number) => permit.resize(Math.min(bytes, queueLimitBytes));
      try {
        const bytes = await receiveBody(payload, {
          limitBytes: bodyLimitBytes,
          contentLength,
          memory: buffers,
          watch: watchBody,
          reserve: hold,
        });
        // Many clients name the type with every call, also of those that have no body.
        if (bytes.length === 0 && request.method === 'DELETE') return null;
        request.bodyBytes = bytes;
        onReceived?.(bytes.length);
        const reserve = (treeBytes: number) => hold(bytes.length + treeBytes);
        return await new Turn().drive(parseBodySteps(bytes, { reserve }));
      } catch (error) {
        // Its caller may be sending for a while yet.
        permit.release();
        throw error;
      }
    },
  );
  return admission;
}
