import { jobResponse, jobStateResponse } from '@preflight/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { okAnswer } from '../answers/answer.js';
import { send } from '../answers/send.js';
import { REFUSED } from '../problems/refused.js';
import type { JobCalls } from './job-calls.js';
import { sendJobEvents } from './job-events.js';

const params = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const;
const refusals = { 404: REFUSED, 410: REFUSED, 503: REFUSED };

type JobRequest = FastifyRequest<{ Params: { id: string } }>;

export interface JobRouteParts {
  readonly calls: JobCalls;
  /** Aborted when the service stops. */
  readonly draining: AbortSignal;
}

/** What can be done with a job by its id. */
export function addJobRoutes(app: FastifyInstance, { calls, draining }: JobRouteParts): void {
  app.get(
    '/v1/jobs/:id',
    {
      schema: {
        summary: 'Where a job is, and what it came to',
        params,
        response: { 200: jobResponse, ...refusals },
      },
    },
    async ({ params: { id }, over }: JobRequest, reply) =>
      send(reply, okAnswer(await calls.describe(id, over.signal))),
  );
  app.delete(
    '/v1/jobs/:id',
    {
      schema: {
        summary:
          'Cancel a job: at once if it waits, soon if it runs, unless it ends before; one that has ended stays as it is',
        params,
        response: { 200: jobStateResponse, ...refusals },
      },
    },
    async ({ params: { id } }: JobRequest, reply) => send(reply, okAnswer(await calls.cancel(id))),
  );
  app.get(
    '/v1/jobs/:id/events',
    {
      exposeHeadRoute: false,
      config: { isOngoing: true },
      schema: {
        summary: 'Server-sent events: the state of a job, now and whenever it changes, until it has ended',
        params,
        response: {
          200: {
            description: 'Events named `state`, whose data is the state; the last one is final.',
            content: { 'text/event-stream': { schema: jobStateResponse } },
          },
          ...refusals,
        },
      },
    },
    ({ params: { id }, over, connection }: JobRequest, reply) =>
      sendJobEvents(reply, { id, calls, over: over.signal, draining, connection }),
  );
}
