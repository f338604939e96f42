import { createApi } from '@preflight/api';
import { createLog, readConfig, stopGracefully } from '@preflight/runtime';
import { startEmbedded } from './embedded.js';

/** The address is taken, or is none of this machine's. Exit code 69 (EX_UNAVAILABLE of sysexits). */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** `preflight serve`: all in one process, until it is told to stop. */
export async function serve(options: { port?: number; host?: string }): Promise<void> {
  const config = { ...readConfig(), ...options };
  const log = createLog(config.logLevel);
  log.info({ config }, 'starting');
  const embedded = await startEmbedded(config, log);
  const api = await createApi({ work: embedded.coordinator, config, log });
  const stop = async () => {
    await api.stop();
    await embedded.close();
  };
  const { host, port } = config;
  const address = await api.app.listen({ host, port }).catch(async (error: Error) => {
    await stop();
    throw new ListenError(`cannot listen on ${host}, port ${port}: ${error.message}`, { cause: error });
  });
  stopGracefully(stop, { drainMs: config.drainMs, log });
  log.info({ address, docs: `${address}/docs` }, 'listening');
}
