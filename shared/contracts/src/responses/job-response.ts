import Type, { type Static } from 'typebox';
import { countResponse } from './count-response.js';
import { preflightResponse, trimmedResponse } from './preflight-response.js';
import { problem } from './problem.js';

const jobState = {
  id: Type.String({ description: 'To ask for it at `/v1/jobs/{id}`.' }),
  status: Type.Enum(['waiting', 'active', 'completed', 'failed', 'cancelled'], {
    description:
      'The last three are final. `failed` has a `problem`: what the call would have been answered with, had its caller waited (422 included).',
  }),
  attempt: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'While it waits or runs. Above 1: tried again after a fault that may pass.',
    }),
  ),
  progress: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
      description: 'Of large jobs, while they run: a stage, and how much of it there is.',
    }),
  ),
};

/** Where a job is. */
export const jobStateResponse = Type.Object(jobState);

/** Where a job is, and what it came to. */
export const jobResponse = Type.Object({
  ...jobState,
  result: Type.Optional(
    Type.Union([preflightResponse, trimmedResponse, countResponse], {
      description: 'When completed: the answer of the call. Its `id` is that of the job.',
    }),
  ),
  problem: Type.Optional(problem),
});

export type JobStateResponse = Static<typeof jobStateResponse>;
export type JobResponse = Static<typeof jobResponse>;
