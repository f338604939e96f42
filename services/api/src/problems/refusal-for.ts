import type { JsonObject, PreflightError } from '@preflight/core';
import type { FastifyRequest } from 'fastify';
import type { Answer } from '../answers/answer.js';
import { pathOf } from './path-of.js';
import { problemOf } from './problems.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a route writes errors whose clients expect something else than problem documents. */
    errorBody?: ErrorBody;
  }
}

/** An error as a vendor writes it. Status and headers are those of the problem. */
export type ErrorBody = (error: PreflightError, context: { status: number; requestId: string }) => JsonObject;

/** The answer to an error, as the route that was called writes it. */
export function refusalFor(request: FastifyRequest, error: PreflightError): Answer {
  const requestId = request.id;
  const problem = problemOf(error, { instance: pathOf(request), requestId });
  const { errorBody } = request.routeOptions.config;
  if (errorBody === undefined) return problem;
  const headers = { ...problem.headers, 'content-type': 'application/json; charset=utf-8' };
  return { ...problem, headers, body: errorBody(error, { status: problem.status, requestId }) };
}
