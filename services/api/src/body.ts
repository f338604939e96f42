import type { IncomingMessage } from 'node:http';
import { parseBody, receiveBody } from '@preflight/body';
import type { Json } from '@preflight/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Admission, type Permit } from './admission.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Given back when the request is over, however it ends. */
    bodyPermit?: Permit;
  }
}

/** What a body of unknown length is taken for until it has been received. */
const CHUNKED_GUESS_BYTES = 1024 * 1024;

/**
 * Bodies come as bytes, straight into shared memory, and are parsed without making strings of the long texts in them.
 * Throws `overloaded` before anything is read, and the codes of `receiveBody` and `parseBody`.
 */
export function takeJsonBodies(app: FastifyInstance, limits: { bodyLimitBytes: number; queueLimitBytes: number }): Admission {
  const admission = new Admission(limits.queueLimitBytes);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage): Promise<Json> => {
    const contentLength = Number(request.headers['content-length']);
    const announced = Number.isSafeInteger(contentLength) ? contentLength : undefined;
    const permit = admission.admit(Math.min(announced ?? CHUNKED_GUESS_BYTES, limits.bodyLimitBytes));
    request.bodyPermit = permit;
    const bytes = await receiveBody(payload, { limitBytes: limits.bodyLimitBytes, contentLength: announced });
    permit.resize(bytes.length);
    return parseBody(bytes);
  });
  // When the answer is sent, or the caller has left: whatever comes first ends the request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => request.bodyPermit?.release());
    done();
  });
  return admission;
}
