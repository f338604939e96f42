import { randomUUID } from 'node:crypto';
import type { Jobs, WatchBody, Work } from '@preflight/contracts';
import type { PreflightError } from '@preflight/core';
import { type Config, type Log, Metrics } from '@preflight/runtime';
import {
  type BatchStore,
  type CalibrationStore,
  MemoryCalibrationStore,
  type PayloadStore,
} from '@preflight/storage';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { Answerer } from './answerer.js';
import { BatchCalls } from './batches/batch-calls.js';
import { addBatchRoutes } from './batches/batch-routes.js';
import { addBlobRoutes } from './blobs/blob-routes.js';
import { BlobUploads } from './blobs/blob-uploads.js';
import { takeJsonBodies } from './body/json-bodies.js';
import { refuseEncodedBodies } from './body/refuse-encoded.js';
import { addCalibrationRoutes } from './calibrations/calibration-routes.js';
import { Calibrations } from './calibrations/calibrations.js';
import { boundDepartures } from './connections/answer-departure.js';
import { ClientErrors } from './connections/client-errors.js';
import { LINGER_MS } from './connections/lingering-answer.js';
import { watchRequests } from './connections/request-over.js';
import { RunningRequests } from './connections/running-requests.js';
import { sendProblem } from './connections/send-problem.js';
import { refuseSilentUploads } from './connections/silent-uploads.js';
import { JobCalls } from './jobs/job-calls.js';
import { addJobRoutes } from './jobs/job-routes.js';
import { describeRoutes } from './openapi/describe-routes.js';
import { readModels } from './operator-files/models-file.js';
import { readPricing } from './operator-files/rules-file.js';
import { toPreflightError } from './problems/problems.js';
import { addCallRoutes } from './routes/call-routes.js';
import { addEncodingRoutes } from './routes/encoding-routes.js';
import { addModelRoutes } from './routes/model-routes.js';
import { addOperationRoutes } from './routes/operation-routes.js';
import { measureRequests } from './routes/request-metrics.js';
import { watchRoutes } from './routes/route-methods.js';
import { refuseUnknownAddresses } from './routes/unknown-addresses.js';
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
  /** Begins work on bodies that are still coming; without it, nobody does. */
  readonly watchBody?: WatchBody;
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
  await describeRoutes(app);

  watchRequests(app);
  measureRequests(app, metrics);
  // Lingering is no sign of an answer that is not taken.
  boundDepartures(app, { departMs: transferMs + LINGER_MS, log });
  clientErrors.watch(app);
  const running = new RunningRequests(app);
  const { draining } = running;
  refuseUnknownAddresses(app, allowedMethods);
  refuseSilentUploads(app, draining);
  refuseEncodedBodies(app);
  const onReceived = (bytes: number) => metrics.received(bytes);
  const admission = takeJsonBodies(app, { ...config, onReceived, watchBody: parts.watchBody });
  metrics.watchHeldBytes(admission);
  const calibrations = new Calibrations(
    parts.calibrations ?? new MemoryCalibrationStore(),
    models,
    pricing.rules,
  );
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
  addCallRoutes(app, { answerer, calls, deadlineMs });
  addJobRoutes(app, { calls, draining });
  addEncodingRoutes(app, engine);
  addModelRoutes(app, models, pricing.rules);
  addOperationRoutes(app, { running, metrics, ready });
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
