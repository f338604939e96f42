import { destination, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export type FlushableLog = Log & Pick<Logger, 'flush'>;

/** JSON lines on stderr, so that stdout stays free for answers. Logs hold ids, sizes and counts, never content. */
export function createLog(level: string): FlushableLog {
  // Without a least length `flush` does not wait for what is being written.
  const stderr = destination({ fd: 2, sync: false, minLength: 1 });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stderr);
}
