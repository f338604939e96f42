import type { Line } from './lines.js';

export interface RunBatchOptions {
  /** Does a line, and sees to what it came to. Rejects only if there is no use in going on. */
  readonly perform: (line: Line) => Promise<void>;
  /** Lines at a time. */
  readonly linesAtOnce: number;
  /** Bytes of lines at a time; a longer line is alone. */
  readonly bytesAtOnce: number;
  /** Aborted when there is no use in going on. */
  readonly signal: AbortSignal;
}

/**
 * Does lines as they come, several at a time, and takes the next one only when there is a place for it: so a sender goes
 * no faster than lines are done and their results find room. Resolves with their number when all are done; rejects
 * with what the lines or the signal were broken off by, when those under way have ended.
 */
export async function runBatch(
  lines: AsyncIterable<Line>,
  { perform, linesAtOnce, bytesAtOnce, signal }: RunBatchOptions,
): Promise<number> {
  const underWay = new Set<Promise<void>>();
  let bytesUnderWay = 0;
  let taken = 0;
  const isFull = ({ sizeBytes }: Line) =>
    underWay.size >= linesAtOnce || (underWay.size > 0 && bytesUnderWay + sizeBytes > bytesAtOnce);
  try {
    for await (const line of lines) {
      signal.throwIfAborted();
      while (isFull(line)) await Promise.race(underWay);
      taken += 1;
      bytesUnderWay += line.sizeBytes;
      const performing: Promise<void> = perform(line).finally(() => {
        underWay.delete(performing);
        bytesUnderWay -= line.sizeBytes;
      });
      // Whoever waits for a place learns of it; this is for when nobody does.
      performing.catch(() => undefined);
      underWay.add(performing);
    }
    await Promise.all(underWay);
    return taken;
  } finally {
    await Promise.allSettled(underWay);
  }
}
