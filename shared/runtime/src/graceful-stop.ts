import closeWithGrace from 'close-with-grace';
import type { Log } from './log.js';

/**
 * Runs `stop` once when the process is told to end (SIGTERM, SIGINT and their kin) or meets an unhandled error, then
 * exits: 0 after a signal, 1 after an error or when `stop` takes longer than `drainMs`.
 */
export function stopGracefully(stop: () => Promise<void>, { drainMs, log }: { drainMs: number; log: Log }): void {
  closeWithGrace({ delay: drainMs || false, logger: false }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'stopping after an unexpected error');
    else log.info({ signal }, 'stopping');
    await stop();
    log.info('stopped');
  });
}
