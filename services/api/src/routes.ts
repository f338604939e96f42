import { Readable } from 'node:stream';
import { writeJsonSteps } from '@preflight/body';
import {
  countRequest,
  countResponse,
  encodingsResponse,
  healthResponse,
  modelsResponse,
  preflightRequest,
  preflightResponse,
} from '@preflight/contracts';
import { type Json, PreflightError } from '@preflight/core';
import { listModels } from '@preflight/models';
import { ENCODING_NAMES, ENCODINGS } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './answer.js';
import type { AnswerContext, Answerer } from './answerer.js';
import { REFUSED } from './refused.js';
import { requestSignal } from './request-signal.js';
import type { RunningRequests } from './running-requests.js';

export interface RouteParts {
  readonly answerer: Answerer;
  readonly running: RunningRequests;
  /** What keeps new work from being done, or undefined. */
  readonly ready: () => Promise<PreflightError | undefined>;
  readonly deadlineMs: number;
  /** What counts in this process. */
  readonly engine: string;
}

/** All routes. Their schemas are those of the contract: they check requests and become the OpenAPI document. */
export function addRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { answerer, running, ready, deadlineMs, engine } = parts;
  const answering = (call: (body: Json, context: AnswerContext) => Promise<Answer>) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const signal = requestSignal(request.over, deadlineMs);
      const context = { instance: request.url, requestId: request.id, signal };
      const answer = await call(request.body as Json, context);
      return send(reply, answer);
    };
  };

  app.post(
    '/v1/preflight',
    {
      schema: {
        summary: 'Make one conversation fit',
        body: preflightRequest,
        response: {
          200: preflightResponse,
          400: REFUSED,
          413: REFUSED,
          422: REFUSED,
          424: REFUSED,
          503: REFUSED,
        },
      },
    },
    answering((body, context) => answerer.preflight(body, context)),
  );
  app.post(
    '/v1/count',
    {
      schema: {
        summary: 'Count one conversation, or one text',
        body: countRequest,
        response: { 200: countResponse, 400: REFUSED, 413: REFUSED, 424: REFUSED, 503: REFUSED },
      },
    },
    answering((body, context) => answerer.count(body, context)),
  );

  app.get(
    '/v1/encodings',
    { schema: { summary: 'Encodings, and what counts them', response: { 200: encodingsResponse } } },
    async () => ({
      encodings: ENCODING_NAMES.map((name) => ({
        name,
        engine,
        vocabulary_version: ENCODINGS[name].vocabularyVersion,
      })),
    }),
  );
  app.get(
    '/v1/models',
    { schema: { summary: 'Models of the catalog', response: { 200: modelsResponse } } },
    async () => ({
      models: listModels().map((model) => ({
        id: model.id,
        provider: model.provider,
        encoding: model.encoding,
        exact_encoding: model.exactEncoding,
        context_window: model.contextWindowTokens,
        max_output_tokens: model.maxOutputTokens,
        source: model.source,
        retrieved_at: model.retrievedAt,
      })),
    }),
  );

  app.get(
    '/health/live',
    { schema: { summary: 'The process answers', response: { 200: healthResponse } } },
    async () => ({ status: 'live' }),
  );
  app.get(
    '/health/ready',
    { schema: { summary: 'New work is taken', response: { 200: healthResponse, 503: REFUSED } } },
    async () => {
      const refusal = running.isDraining ? new PreflightError('shutting_down') : await ready();
      if (refusal) throw refusal;
      return { status: 'ready' };
    },
  );
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  app.get('/', { schema: { hide: true } }, async (_, reply) => reply.redirect('/docs'));
}

/** Bytes go out as they are written, long texts as views of the request's own memory. */
async function send(reply: FastifyReply, { status, headers, body }: Answer) {
  const chunks = await new Turn().drive(writeJsonSteps(body));
  reply.code(status).headers(headers);
  reply.header(
    'content-length',
    chunks.reduce((sum, chunk) => sum + chunk.length, 0),
  );
  return reply.send(chunks.length === 1 ? chunks[0] : Readable.from(chunks));
}
