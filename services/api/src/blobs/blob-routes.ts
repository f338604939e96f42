import { Readable } from 'node:stream';
import { blobResponse } from '@preflight/contracts';
import { PreflightError } from '@preflight/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { REFUSED } from '../problems/refused.js';
import { blobDigest } from './blob-digest.js';
import type { BlobUploads } from './blob-uploads.js';

type BlobRequest = FastifyRequest<{ Params: { sha256: string } }>;

const params = Type.Object({
  sha256: Type.String({ description: 'SHA-256 of the file’s bytes: 64 hexadecimal digits in lower case.' }),
});

/** `HEAD` and `PUT /v1/blobs/{sha256}`. Bodies of any content type come as streams, which nobody else has read. */
export async function addBlobRoutes(app: FastifyInstance, uploads: BlobUploads): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async (_: FastifyRequest, stream: Readable) => stream);

    scope.head(
      '/v1/blobs/:sha256',
      {
        schema: {
          summary: 'Whether an attachment is here; if so, it is kept for another lifetime',
          params,
          response: { 200: Type.Null(), 400: REFUSED, 404: REFUSED, 503: REFUSED },
        },
      },
      async (request: BlobRequest, reply) => {
        if (!(await uploads.keep(blobDigest(request.params.sha256)))) throw new PreflightError('not_found');
        return reply.send();
      },
    );
    scope.put(
      '/v1/blobs/:sha256',
      {
        schema: {
          summary: 'Upload the bytes of an attachment, so that requests may refer to them by their digest',
          params,
          consumes: ['application/octet-stream'],
          body: Type.String({ format: 'binary' }),
          response: { 200: blobResponse, 201: blobResponse, 400: REFUSED, 413: REFUSED, 503: REFUSED },
        },
      },
      async (request: BlobRequest, reply) => {
        const digest = blobDigest(request.params.sha256);
        const stream = (request.body as Readable | undefined) ?? Readable.from([]);
        const announced = request.headers['content-length'];
        const { isNew, sizeBytes } = await uploads.receive(
          digest,
          stream,
          announced === undefined ? undefined : Number(announced),
        );
        return reply.code(isNew ? 201 : 200).send({ digest: `sha256:${digest}`, bytes: sizeBytes });
      },
    );
  });
}
