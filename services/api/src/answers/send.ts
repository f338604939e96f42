import { Readable } from 'node:stream';
import { writeJsonSteps } from '@preflight/body';
import { Turn } from '@preflight/runtime';
import type { FastifyReply } from 'fastify';
import type { Answer } from './answer.js';

/** Bytes go out as they are written, long texts as views of the request's own memory. */
export async function send(reply: FastifyReply, { status, headers, body }: Answer): Promise<FastifyReply> {
  const chunks = await new Turn().drive(writeJsonSteps(body));
  reply.code(status).headers(headers);
  reply.header(
    'content-length',
    chunks.reduce((sum, chunk) => sum + chunk.length, 0),
  );
  return reply.send(chunks.length === 1 ? chunks[0] : Readable.from(chunks));
}
