import { encodingsResponse } from '@preflight/contracts';
import { PUBLIC_VOCABULARIES } from '@preflight/models';
import { type EncodingName, encodingFacts, encodingNames, vocabularyFile } from '@preflight/pool';
import type { FastifyInstance } from 'fastify';

/** Which encodings there are, and what counts them in this process. */
export function addEncodingRoutes(app: FastifyInstance, engine: string): void {
  app.get(
    '/v1/encodings',
    { schema: { summary: 'Encodings, and what counts them', response: { 200: encodingsResponse } } },
    async () => ({ encodings: encodingNames().map((name) => encodingRow(name, engine)) }),
  );
}

function encodingRow(name: EncodingName, engine: string) {
  const row = { name, vocabulary_version: encodingFacts(name).vocabularyVersion };
  const file = vocabularyFile(name);
  if (file === undefined) return { ...row, engine, source: 'npm tiktoken', licence: 'MIT' };
  const known = PUBLIC_VOCABULARIES.find((vocabulary) => vocabulary.name === name);
  return {
    ...row,
    engine: 'kernel',
    source: `tokenizer.json, sha256:${file.sha256}`,
    ...(known && { licence: known.licence }),
  };
}
