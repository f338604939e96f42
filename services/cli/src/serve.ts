import { createApi } from '@preflight/api';
import { createLog, readConfig, stopGracefully } from '@preflight/runtime';
import { startEmbedded } from './embedded.js';

/** `preflight serve`: all in one process, until it is told to stop. */
export async function serve(options: { port?: number; host?: string }): Promise<void> {
  const config = { ...readConfig(), ...options };
  const log = createLog(config.logLevel);
  log.info({ config }, 'starting');
  const embedded = await startEmbedded(config, log);
  const { app, stop } = await createApi({ work: embedded.coordinator, config, log });
  stopGracefully(
    async () => {
      await stop();
      await embedded.close();
    },
    { drainMs: config.drainMs, log },
  );
  const address = await app.listen({ host: config.host, port: config.port });
  log.info({ address, docs: `${address}/docs` }, 'listening');
}
