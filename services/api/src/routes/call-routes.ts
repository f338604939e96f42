import {
  callHeaders,
  checkRequest,
  checkResponse,
  countRequest,
  countResponse,
  jobStateResponse,
  preflightAnswer,
  preflightRequest,
} from '@preflight/contracts';
import type { Json } from '@preflight/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answerer } from '../answerer.js';
import { send } from '../answers/send.js';
import type { CallKind } from '../calls/call.js';
import { requestSignal } from '../connections/request-signal.js';
import { readCallWish } from '../jobs/call-wish.js';
import type { JobCalls } from '../jobs/job-calls.js';
import { pathOf } from '../problems/path-of.js';
import { REFUSED } from '../problems/refused.js';

export interface CallRouteParts {
  readonly answerer: Answerer;
  readonly calls: JobCalls;
  readonly deadlineMs: number;
}

/** The calls about conversations. Their schemas are those of the contract: they check requests and become the OpenAPI document. */
export function addCallRoutes(app: FastifyInstance, { answerer, calls, deadlineMs }: CallRouteParts): void {
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
}

/** The bytes of the body, which a job may hold from now on: nobody else uses their memory again. */
function takeBodyBytes(request: FastifyRequest): Uint8Array {
  const { bodyBytes } = request;
  request.bodyBytes = undefined;
  return bodyBytes ?? new Uint8Array();
}
