import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { batchResponse, batchResult } from '@preflight/contracts';
import { PreflightError } from '@preflight/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { refuseOtherCharsets } from '../body/refuse-charset.js';
import { takenInTime, withoutStandstill } from '../connections/ongoing.js';
import { REFUSED } from '../problems/refused.js';
import { schemaCheck } from '../requests/schema-check.js';
import type { BatchCalls } from './batch-calls.js';
import { ResultChannel } from './result-channel.js';

const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];
const NDJSON = 'application/x-ndjson';

const batchId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['nightly-2026-12-01'] });

const uploadQuery = Type.Object(
  {
    id: Type.Optional({
      ...batchId,
      description:
        'Name of the batch, letters, digits, `_` and `-`; drawn if absent. With one of its own, a caller reads results while it sends, and sends on where it was broken off.',
    }),
    call: Type.Optional(
      Type.Enum(['preflight', 'count'], {
        default: 'preflight',
        description: 'What is asked of each line.',
      }),
    ),
    results: Type.Optional(
      Type.Enum(['stored', 'inline'], {
        default: 'stored',
        description:
          '`stored`: results wait at their own address. `inline`: they come in the answer of this call while lines are sent, for callers that read while they write; others would wait for ever.',
      }),
    ),
  },
  { additionalProperties: false },
);
const resultsQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,20}(-[0-9]{1,20})?$',
        examples: ['1796000000000-12'],
        description:
          'Cursor of the last result that was received: what comes behind it is sent, and it and all before it are let go.',
      }),
    ),
  },
  { additionalProperties: false },
);

export interface BatchRoutesParts {
  readonly calls: BatchCalls;
  /** How long a caller may neither send nor take anything. */
  readonly standstillMs: number;
  readonly draining: AbortSignal;
}

/** `POST /v1/batches` and `GET /v1/batches/{id}/results`: NDJSON up, NDJSON down. */
export async function addBatchRoutes(app: FastifyInstance, parts: BatchRoutesParts): Promise<void> {
  const { calls, standstillMs, draining } = parts;
  const checkUpload = schemaCheck(uploadQuery);
  const checkResults = schemaCheck(Type.Object({ ...resultsQuery.properties, id: batchId }));

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(NDJSON_TYPES, async (request: FastifyRequest, stream: IncomingMessage) => {
      refuseOtherCharsets(request);
      return stream;
    });

    scope.post(
      '/v1/batches',
      {
        config: { isOngoing: true },
        schema: {
          summary: 'Many conversations in one stream, one on a line',
          description:
            'A line is the body of the call of its own, with an `id` beside its fields. Lines are taken no faster than they are done, and no faster than their results are read. A faulty line has a problem for a result, and spoils no other.',
          querystring: uploadQuery,
          consumes: [NDJSON],
          body: Type.String(),
          response: { 202: batchResponse, 400: REFUSED, 409: REFUSED, 415: REFUSED, 503: REFUSED },
        },
      },
      async (request, reply) => {
        checkUpload(request.query as never);
        const {
          id = randomUUID(),
          call = 'preflight',
          results,
        } = request.query as Static<typeof uploadQuery>;
        const stream = request.body as IncomingMessage | undefined;
        const chunks = stream ? withoutStandstill(stream, { standstillMs, draining }) : Readable.from([]);
        const upload = { batchId: id, call, chunks, over: request.over.signal };
        reply.header('location', `/v1/batches/${id}/results`);
        if (results !== 'inline') return reply.code(202).send({ id, lines: await calls.receive(upload) });
        const channel = new ResultChannel();
        calls
          .answer(upload, (record) => channel.put(record))
          .then(
            () => channel.end(),
            (error) => channel.end(error),
          );
        return sendLines(request, reply, opened(channel.read()));
      },
    );

    scope.get(
      '/v1/batches/:id/results',
      {
        config: { isOngoing: true },
        schema: {
          summary: 'Results of a batch as they come, from a cursor on; ends when the batch has ended',
          params: Type.Object({ id: batchId }),
          querystring: resultsQuery,
          response: {
            200: { description: 'One on a line.', content: { [NDJSON]: { schema: batchResult } } },
            400: REFUSED,
            404: REFUSED,
            503: REFUSED,
          },
        },
      },
      async (request, reply) => {
        const asked = { ...(request.query as object), ...(request.params as object) };
        checkResults(asked as never);
        const { id, after = '' } = asked as { id: string; after?: string };
        const results = await calls.results(id, after, request.over.signal);
        if (results === undefined) throw new PreflightError('not_found');
        return sendLines(request, reply, results);
      },
    );
  });

  /** An answer that breaks off is told from one that ends by how its connection does. */
  function sendLines(request: FastifyRequest, reply: FastifyReply, lines: AsyncIterable<Uint8Array>) {
    const drop = () => request.connection.destroy();
    const taken = takenInTime(lines, { standstillMs, drop });
    return reply.type(NDJSON).send(Readable.from(taken, { objectMode: false, highWaterMark: 64 * 1024 }));
  }
}

/** Results that no cursor leads to. */
async function* opened(records: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const record of records) yield Buffer.concat([Buffer.from('{'), record]);
}
