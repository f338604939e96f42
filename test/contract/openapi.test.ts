import { NAMED_SCHEMAS } from '@preflight/api';
import {
  checkRequest,
  checkResponse,
  countRequest,
  countResponse,
  preflightAnswer,
  preflightRequest,
  problem,
} from '@preflight/contracts';
import { expect, test } from 'vitest';
import { get } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;

const { url } = await startApi();
const { body: document, headers } = await get(url, '/openapi.json');

test('the document is OpenAPI 3.1', () => {
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.info.title).toBe('Preflight');
});

test('it lists every call', () => {
  expect(Object.keys(document.paths).sort()).toEqual([
    '/health/live',
    '/health/ready',
    '/metrics',
    '/tokenize',
    '/utils/token_counter',
    '/v1/batches',
    '/v1/batches/{id}/results',
    '/v1/blobs/{sha256}',
    '/v1/calibrations',
    '/v1/calibrations/{*}',
    '/v1/chat/completions/input_tokens',
    '/v1/check',
    '/v1/count',
    '/v1/encodings',
    '/v1/jobs/{id}',
    '/v1/jobs/{id}/events',
    '/v1/messages/count_tokens',
    '/v1/models',
    '/v1/models/{*}',
    '/v1/preflight',
    '/v1/responses/input_tokens',
    '/v1beta/models/{model}:countTokens',
    '/v1beta/tunedModels/{model}:countTokens',
    '/v1beta1/projects/{project}/locations/{location}/publishers/{publisher}/models/{model}:countTokens',
    '/v1beta1/publishers/{publisher}/models/{model}:countTokens',
  ]);
});

test.each([
  ['/v1/preflight', preflightRequest, preflightAnswer],
  ['/v1/count', countRequest, countResponse],
  ['/v1/check', checkRequest, checkResponse],
])('%s has the schemas that check requests', (path, request, response) => {
  const { requestBody, responses } = document.paths[path].post;
  expect(writtenOut(requestBody.content['application/json'].schema)).toEqual(published(request));
  expect(writtenOut(responses['200'].content['application/json'].schema)).toEqual(published(response));
  const [refused] = Object.values<{ schema: object }>(responses['400'].content);
  expect(refused?.schema).toEqual({ $ref: '#/components/schemas/Problem' });
  expect(writtenOut(refused?.schema)).toEqual(published(problem));
});

test.each([
  'PreflightRequest',
  'CountRequest',
  'CheckRequest',
  'PreflightResponse',
  'TrimmedResponse',
  'CountResponse',
  'CheckResponse',
  'Problem',
  'Model',
])('every field of %s is explained, here or in the schema that it refers to', (name) => {
  const fields = Object.entries<Json>(document.components.schemas[name].properties);
  const unexplained = fields.filter(([, field]) => {
    const parts = [field, ...(field.anyOf ?? [])];
    return parts.every(({ description, $ref }) => description === undefined && $ref === undefined);
  });
  expect(fields.length).toBeGreaterThan(4);
  expect(unexplained.map(([field]) => field)).toEqual([]);
});

test('every schema that has a name is referred to, and every reference leads to one', () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(names)].sort()).toEqual(Object.keys(NAMED_SCHEMAS));
  expect(Object.keys(document.components.schemas)).toEqual(Object.keys(NAMED_SCHEMAS));
});

/** A schema with what its references lead to in their place. */
function writtenOut(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(writtenOut);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema)
    return writtenOut(document.components.schemas[String(schema.$ref).split('/').at(-1) ?? '']);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, writtenOut(value)]));
}

/** The schema as JSON, in the words that @fastify/swagger has for the same. */
function published(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (typeof value !== 'object' || value === null) return value;
    const { const: only, patternProperties, ...rest } = value;
    if (typeof only === 'string') return { ...rest, enum: [only] };
    return patternProperties?.['^.*$'] ? { ...rest, additionalProperties: patternProperties['^.*$'] } : value;
  });
}

test('problems are said to be application/problem+json', () => {
  expect(Object.keys(document.paths['/v1/preflight'].post.responses['422'].content)).toEqual([
    'application/problem+json',
  ]);
});

test('/docs shows it, and / leads there', async () => {
  const home = await get(url, '/');
  expect([home.status, home.headers.location]).toEqual([302, '/docs']);
  expect((await get(url, '/docs')).text).toContain('swagger');
});
