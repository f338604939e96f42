import { createApi } from '@preflight/api';
import {
  type Config,
  createLog,
  type Log,
  printableConfig,
  readConfig,
  stopGracefully,
} from '@preflight/runtime';
import type { ListenOptions } from './arguments.js';
import type { Backend } from './backend.js';
import { startCoordinator, startQueuedWork, startQueuedWorkAndCoordinator } from './distributed.js';
import { startEmbedded } from './embedded.js';
import { startHealthServer } from './health-server.js';

/** The address is taken, or is none of this machine's. Exit code 69 (EX_UNAVAILABLE of sysexits). */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** `preflight serve`: all in one process, until it is told to stop; over the queue if Redis is given. */
export function serve(options: ListenOptions): Promise<void> {
  return runApi(options, (config, log) =>
    config.queueRedisUrl === undefined
      ? startEmbedded(config, log)
      : startQueuedWorkAndCoordinator(config, log),
  );
}

/** `preflight api`: takes requests and has coordinators do the work, until it is told to stop. */
export function serveApi(options: ListenOptions): Promise<void> {
  return runApi(options, startQueuedWork);
}

/** `preflight coordinator`: does the work of the queue, until it is told to stop. Answers health checks if given a port. */
export async function serveCoordinator(options: ListenOptions): Promise<void> {
  const { config, log } = begin(options);
  const coordinator = await startCoordinator(config, log);
  const health = options.port === undefined ? undefined : startHealthServer(coordinator);
  const stop = async () => {
    await coordinator.close();
    await health?.close();
  };
  const address = await health?.listen(config).catch(async (error: Error) => {
    await stop();
    throw listenError(config, error);
  });
  stopGracefully(stop, { drainMs: config.drainMs, log });
  log.info({ address }, 'taking jobs');
}

async function runApi(
  options: ListenOptions,
  startBackend: (config: Config, log: Log) => Promise<Backend>,
): Promise<void> {
  const { config, log } = begin(options);
  const backend = await startBackend(config, log);
  const api = await createApi({
    work: backend.work,
    encode: backend.encode,
    watchBody: backend.watchBody,
    jobs: backend.jobs,
    metrics: backend.metrics,
    payloads: backend.payloads,
    batches: backend.batches,
    calibrations: backend.calibrations,
    ready: () => backend.ready(),
    config,
    log,
  });
  const stop = async () => {
    await api.stop();
    await backend.close();
  };
  const { host, port } = config;
  const address = await api.app.listen({ host, port }).catch(async (error: Error) => {
    await stop();
    throw listenError(config, error);
  });
  stopGracefully(stop, { drainMs: config.drainMs, log });
  log.info({ address, docs: `${address}/docs` }, 'listening');
}

function begin(options: ListenOptions) {
  const config = { ...readConfig(), ...options };
  const log = createLog(config.logLevel);
  log.info({ config: printableConfig(config) }, 'starting');
  return { config, log };
}

function listenError({ host, port }: Config, error: Error): ListenError {
  return new ListenError(`cannot listen on ${host}, port ${port}: ${error.message}`, { cause: error });
}
