import { healthResponse } from '@preflight/contracts';
import { PreflightError } from '@preflight/core';
import type { Metrics } from '@preflight/runtime';
import type { FastifyInstance } from 'fastify';
import type { RunningRequests } from '../connections/running-requests.js';
import { REFUSED } from '../problems/refused.js';

export interface OperationRouteParts {
  readonly running: RunningRequests;
  readonly metrics: Metrics;
  /** What keeps new work from being done, or undefined. */
  readonly ready: () => Promise<PreflightError | undefined>;
}

/** For those who operate the service: whether it lives, whether it takes work, and what it did. */
export function addOperationRoutes(
  app: FastifyInstance,
  { running, metrics, ready }: OperationRouteParts,
): void {
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
}
