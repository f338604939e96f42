import { calibrationRequest, calibrationResponse, calibrationsResponse } from '@preflight/contracts';
import type { Json } from '@preflight/core';
import type { FastifyInstance } from 'fastify';
import { REFUSED } from '../problems/refused.js';
import type { Calibrations } from './calibrations.js';

/** What providers charged is taken back, told, and forgotten on request. */
export function addCalibrationRoutes(app: FastifyInstance, calibrations: Calibrations): void {
  app.post(
    '/v1/calibrations',
    {
      schema: {
        summary: 'Take back what a provider charged, so that later estimates are better',
        body: calibrationRequest,
        response: { 200: calibrationResponse, 400: REFUSED, 413: REFUSED, 503: REFUSED },
      },
    },
    ({ body }) => calibrations.add(body as Json, Date.now()),
  );
  app.get(
    '/v1/calibrations',
    {
      schema: {
        summary: 'What was learned of models from what their providers charged',
        response: { 200: calibrationsResponse, 503: REFUSED },
      },
    },
    () => calibrations.list(),
  );
  app.delete(
    '/v1/calibrations',
    {
      schema: {
        summary: 'Forget what was learned of all models',
        response: { 204: { description: 'Forgotten.', type: 'null' }, 503: REFUSED },
      },
    },
    async (_, reply) => {
      await calibrations.clear();
      return reply.code(204).send();
    },
  );
  app.delete(
    // Names have slashes in them.
    '/v1/calibrations/*',
    {
      schema: {
        summary: 'Forget what was learned of a model',
        params: { type: 'object', properties: { '*': { type: 'string', description: 'The name.' } } },
        response: { 204: { description: 'Forgotten, or never known.', type: 'null' }, 503: REFUSED },
      },
    },
    async ({ params }, reply) => {
      await calibrations.clear((params as { '*': string })['*']);
      return reply.code(204).send();
    },
  );
}
