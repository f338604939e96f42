import {
  callHeaders,
  checkRequest,
  checkResponse,
  countRequest,
  countResponse,
  encodingsResponse,
  healthResponse,
  jobStateResponse,
  preflightAnswer,
  preflightRequest,
} from '@preflight/contracts';
import { type Json, PreflightError } from '@preflight/core';
import type { ModelCatalog } from '@preflight/models';
import { ENCODING_NAMES, ENCODINGS } from '@preflight/pool';
import type { Metrics } from '@preflight/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answerer } from './answerer.js';
import type { CallKind } from './call.js';
import { readCallWish } from './jobs/call-wish.js';
import type { JobCalls } from './jobs/job-calls.js';
import { addJobRoutes } from './jobs/job-routes.js';
import { addModelRoutes } from './model-routes.js';
import { pathOf } from './path-of.js';
import { REFUSED } from './refused.js';
import { requestSignal } from './request-signal.js';
import type { RunningRequests } from './running-requests.js';
import { send } from './send.js';

export interface RouteParts {
  readonly answerer: Answerer;
  readonly calls: JobCalls;
  readonly running: RunningRequests;
  readonly models: ModelCatalog;
  readonly metrics: Metrics;
  /** What keeps new work from being done, or undefined. */
  readonly ready: () => Promise<PreflightError | undefined>;
  readonly deadlineMs: number;
  /** What counts in this process. */
  readonly engine: string;
}

/** All routes. Their schemas are those of the contract: they check requests and become the OpenAPI document. */
export function addRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { answerer, calls, running, models, metrics, ready, deadlineMs, engine } = parts;
  const answering = (kind: CallKind) => async (request: FastifyRequest, reply: FastifyReply) => {
    const wish = readCallWish(request.headers);
    const signal = requestSignal(request.over, deadlineMs);
    const tree = request.body as Json;
    if (!wish.isAsync && wish.idempotencyKey === undefined)
      return send(
        reply,
        await answerer[kind](tree, { instance: pathOf(request), requestId: request.id, signal }),
      );
    const call = { kind, tree, body: takeBodyBytes(request) };
    if (wish.isAsync) reply.header('preference-applied', 'respond-async');
    return send(reply, await calls.take(call, wish, { over: request.over.signal, work: signal }));
  };

  app.post(
    '/v1/preflight',
    {
      schema: {
        summary: 'Make one conversation fit',
        body: preflightRequest,
        headers: callHeaders,
        response: {
          200: preflightAnswer,
          202: jobStateResponse,
          400: REFUSED,
          409: REFUSED,
          413: REFUSED,
          422: REFUSED,
          424: REFUSED,
          503: REFUSED,
        },
      },
    },
    answering('preflight'),
  );
  app.post(
    '/v1/count',
    {
      schema: {
        summary: 'Count one conversation, or one text',
        body: countRequest,
        headers: callHeaders,
        response: {
          200: countResponse,
          202: jobStateResponse,
          400: REFUSED,
          409: REFUSED,
          413: REFUSED,
          424: REFUSED,
          503: REFUSED,
        },
      },
    },
    answering('count'),
  );
  app.post(
    '/v1/check',
    {
      schema: {
        summary: 'Tell whether the provider would take a request as it stands, and repair it',
        description:
          'Answered at once, and never a job: `Prefer: respond-async` and `Idempotency-Key` change nothing here. The same request gets the same answer, and nothing is kept of it.',
        body: checkRequest,
        response: { 200: checkResponse, 400: REFUSED, 413: REFUSED, 503: REFUSED },
      },
    },
    async (request, reply) => send(reply, await answerer.check(request.body as Json)),
  );

  addJobRoutes(app, { calls, draining: running.draining });

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
  addModelRoutes(app, models);

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
  app.get(
    '/metrics',
    {
      schema: {
        summary: 'Figures of this process, in the text format of Prometheus',
        response: {
          200: { description: 'Metrics.', content: { 'text/plain': { schema: { type: 'string' } } } },
        },
      },
    },
    async (_, reply) => reply.header('content-type', metrics.contentType).send(await metrics.text()),
  );
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  app.get('/', { schema: { hide: true } }, async (_, reply) => reply.redirect('/docs'));
}

/** The bytes of the body, which a job may hold from now on: nobody else uses their memory again. */
function takeBodyBytes(request: FastifyRequest): Uint8Array {
  const { bodyBytes } = request;
  request.bodyBytes = undefined;
  return bodyBytes ?? new Uint8Array();
}
