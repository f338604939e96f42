import { encodingsResponse } from '@preflight/contracts';
import { ENCODING_NAMES, ENCODINGS } from '@preflight/pool';
import type { FastifyInstance } from 'fastify';

/** Which encodings there are, and what counts them in this process. */
export function addEncodingRoutes(app: FastifyInstance, engine: string): void {
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
}
