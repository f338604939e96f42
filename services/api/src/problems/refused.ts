import { problem } from '@preflight/contracts';

/** The answer to a refused call, for the schemas of routes. */
export const REFUSED = {
  description: 'A problem; its `code` says which.',
  content: { 'application/problem+json': { schema: problem } },
};
