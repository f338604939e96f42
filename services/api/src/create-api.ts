import { randomUUID } from 'node:crypto';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { Jobs, Work } from '@preflight/contracts';
import { ERROR_CATALOG, PreflightError } from '@preflight/core';
import { type Config, type Log, Metrics } from '@preflight/runtime';
import {
  type BatchStore,
  type CalibrationStore,
  MemoryCalibrationStore,
  type PayloadStore,
} from '@preflight/storage';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { boundDepartures } from './answer-departure.js';
import { Answerer } from './answerer.js';
import { BatchCalls } from './batches/batch-calls.js';
import { addBatchRoutes } from './batches/batch-routes.js';
import { addBlobRoutes } from './blobs/blob-routes.js';
import { BlobUploads } from './blobs/blob-uploads.js';
import { takeJsonBodies } from './body.js';
import { addCalibrationRoutes } from './calibrations/calibration-routes.js';
import { Calibrations } from './calibrations/calibrations.js';
import { ClientErrors } from './client-errors.js';
import { JobCalls } from './jobs/job-calls.js';
import { isStillSending, LINGER_MS, lingeringAnswer } from './lingering-answer.js';
import { readModels } from './models-file.js';
import { withNamedSchemas } from './named-schemas.js';
import { toPreflightError } from './problems.js';
import { refusalFor } from './refusal-for.js';
import { refuseEncodedBodies } from './refuse-encoded.js';
import { measureRequests } from './request-metrics.js';
import { watchRequests } from './request-over.js';
import { watchRoutes } from './route-methods.js';
import { addRoutes } from './routes.js';
import { readPricing } from './rules-file.js';
import { RunningRequests } from './running-requests.js';
import { refuseSilentUploads } from './silent-uploads.js';
import type { Encode } from './vendor-counts/token-ids.js';
import { addVendorCountRoutes } from './vendor-counts/vendor-count-routes.js';

/** A request gets the time of the deadline to come in, and an answer to leave; but however short that is, no less than this. */
const MIN_TRANSFER_MS = 1000;

export interface Api {
  readonly app: FastifyInstance;
  /** Refuses new requests with 503, lets running ones finish, then closes every connection. */
  stop(): Promise<void>;
}

export interface ApiParts {
  readonly work: Work;
  readonly encode: Encode;
  /** Where uploaded attachments go, for `work` to find. */
  readonly payloads: PayloadStore;
  /** Work of callers who do not wait. */
  readonly jobs: Jobs;
  /** Where the results of batches wait for their readers. */
  readonly batches: BatchStore;
  /** What providers charged; without it, in memory. */
  readonly calibrations?: CalibrationStore;
  readonly config: Config;
  readonly log: Log;
  /** Of this process; without it, they know of this API alone. */
  readonly metrics?: Metrics;
  /** What keeps new work from being done, if anything but a stop can. */
  readonly ready?: () => Promise<PreflightError | undefined>;
}

/** The HTTP service around whoever does the work. Listens on nothing yet: `app.listen(…)`. */
export async function createApi(parts: ApiParts): Promise<Api> {
  const { config, log, metrics = new Metrics(), ready = async () => undefined } = parts;
  const models = readModels(config.modelsFile);
  const pricing = readPricing(config);
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(toPreflightError(error), request, reply, { log, metrics, draining: running.draining });
  const transferMs = Math.max(MIN_TRANSFER_MS, config.deadlineMs);
  const clientErrors = new ClientErrors(log);
  const app = fastify({
    genReqId: () => randomUUID(),
    bodyLimit: config.bodyLimitBytes,
    exposeHeadRoutes: true,
    // When the last answer has left, whoever is still connected wants nothing that could be given.
    forceCloseConnections: true,
    clientErrorHandler: clientErrors.handle,
    // A body that never comes to its end must not hold its permit for ever.
    requestTimeout: transferMs,
    http: receiving(transferMs),
    frameworkErrors: refuse,
  });
  // Bodies are checked by the answerer, whose schemas these are; long texts in them are no strings yet.
  app.setValidatorCompiler(() => () => true);
  app.setErrorHandler(refuse);
  const allowedMethods = watchRoutes(app);
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(request.url);
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    return refuse(
      new PreflightError(allowed.length > 0 ? 'method_not_allowed' : 'not_found'),
      request,
      reply,
    );
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Preflight',
        description:
          'Counts conversations exactly and makes them fit the context window, before the call is made.',
        version: '0.1.0',
      },
    },
    transformObject: (made) => ('openapiObject' in made ? withNamedSchemas(made.openapiObject as never) : {}),
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });

  watchRequests(app);
  measureRequests(app, metrics);
  // Lingering is no sign of an answer that is not taken.
  boundDepartures(app, { departMs: transferMs + LINGER_MS, log });
  clientErrors.watch(app);
  const running = new RunningRequests(app);
  const { draining } = running;
  refuseSilentUploads(app, draining);
  refuseEncodedBodies(app);
  const onReceived = (bytes: number) => metrics.received(bytes);
  const admission = takeJsonBodies(app, { ...config, onReceived });
  metrics.watchHeldBytes(admission);
  const calibrations = new Calibrations(parts.calibrations ?? new MemoryCalibrationStore(), models);
  const answerer = new Answerer({
    work: parts.work,
    log,
    metrics,
    models,
    pricing,
    calibrations,
    maxMessages: config.maxMessages,
    defaultContextWindowTokens: config.defaultContextWindowTokens,
  });
  const { payloads } = parts;
  const { blobLimitBytes, blobLifetimeMs } = config;
  await addBlobRoutes(
    app,
    new BlobUploads({
      payloads,
      admission,
      limitBytes: blobLimitBytes,
      lifetimeMs: blobLifetimeMs,
      onReceived,
    }),
  );
  const { deadlineMs, engine } = config;
  const calls = new JobCalls({ answerer, jobs: parts.jobs, admission, deadlineMs });
  const batches = new BatchCalls({
    answerer,
    admission,
    store: parts.batches,
    lineLimitBytes: config.bodyLimitBytes,
    deadlineMs,
    draining,
  });
  await addBatchRoutes(app, { calls: batches, standstillMs: transferMs, draining });
  addRoutes(app, { answerer, calls, running, models, metrics, ready, deadlineMs, engine });
  addCalibrationRoutes(app, calibrations);
  addVendorCountRoutes(app, { answerer, encode: parts.encode, deadlineMs });

  return {
    app,
    async stop() {
      await running.drain();
      await app.close();
    },
  };
}

/** How Node bounds the time in which a request comes; it swaps the two if headers may take longer than the whole. */
function receiving(receiveMs: number) {
  return {
    requestTimeout: receiveMs,
    headersTimeout: Math.min(60_000, receiveMs),
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(10_000, receiveMs / 4),
  };
}

function sendProblem(
  error: PreflightError,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    log,
    metrics,
    draining,
  }: { readonly log: Log; readonly metrics: Metrics; readonly draining: AbortSignal },
): FastifyReply {
  metrics.failed(error.code);
  const { logLevel, httpStatus } = ERROR_CATALOG[error.code];
  log[logLevel](
    {
      requestId: request.id,
      code: error.code,
      status: httpStatus,
      internal: error.internalDetail,
      err: error.code === 'internal_error' ? error.cause : undefined,
    },
    'request refused',
  );
  const { status, headers, body } = refusalFor(request, error);
  const payload = Buffer.from(JSON.stringify(body));
  reply.code(status).headers(headers);
  if (!isStillSending(request.raw)) return reply.send(payload);
  reply.headers({ connection: 'close', 'content-length': payload.length });
  return reply.send(lingeringAnswer(payload, request, draining));
}
