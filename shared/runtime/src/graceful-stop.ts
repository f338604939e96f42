import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { FlushableLog } from './log.js';

/**
 * These must end the process: a handler in JavaScript returns into the faulting instruction, again and again, and the
 * process neither works nor ends.
 */
const MACHINE_FAULTS = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGABRT'] as const;

/**
 * Runs `stop` once when the process is told to end (SIGTERM, SIGINT and their kin) or meets an unhandled error, then
 * exits: 0 after a signal, 1 after an error or when `stop` fails or takes longer than `drainMs`.
 */
export function stopGracefully(
  stop: () => Promise<void>,
  { drainMs, log }: { drainMs: number; log: FlushableLog },
): void {
  // The time limit is ours, because close-with-grace would exit before the log is written.
  closeWithGrace({ delay: false, logger: false, skip: [...MACHINE_FAULTS] }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'stopping after an unexpected error');
    else log.info({ signal }, 'stopping');
    const isOverdue = sleep(drainMs).then(() => {
      throw new Error(`not everything has stopped within ${drainMs} ms`);
    });
    try {
      await Promise.race([stop(), isOverdue]);
      log.info('stopped');
    } catch (error) {
      log.error({ err: error }, 'stopping has failed');
      throw error;
    } finally {
      await flushed(log);
    }
  });
}

function flushed(log: FlushableLog): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}
