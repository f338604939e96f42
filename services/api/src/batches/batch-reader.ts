import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchCursor, BatchPiece, BatchStore } from '@preflight/storage';

export interface ReadBatchOptions {
  readonly store: BatchStore;
  readonly batchId: string;
  readonly after: BatchCursor;
  /** What was sent last is kept for a reader who comes back; older results are let go. */
  readonly keptBytes: number;
  readonly signal: AbortSignal;
}

const MIN_PAUSE_MS = 5;
const MAX_PAUSE_MS = 200;

/**
 * The results behind a cursor, as they come, each a line of JSON with its cursor in it; ends when the batch has ended
 * and all were given; breaks off with the signal's reason. Whoever takes the next piece has passed on the one before.
 */
export async function* readBatch(options: ReadBatchOptions): AsyncGenerator<Buffer> {
  const { store, batchId, after, signal } = options;
  const window = new KeptWindow(options);
  if (after !== '') await store.forget(batchId, after);
  let cursor = after;
  // A reader who comes back may stand in the middle of a record that it has.
  let isInRecord = false;
  let isLast = false;
  let pauseMs = MIN_PAUSE_MS;
  for (;;) {
    signal.throwIfAborted();
    const pieces = await store.read(batchId, cursor);
    for (const piece of pieces) {
      isInRecord ||= piece.isFirst;
      if (isInRecord) yield piece.isFirst ? Buffer.concat([openingOf(piece), piece.bytes]) : piece.bytes;
      cursor = piece.cursor;
      await window.add(piece);
    }
    if (pieces.length > 0) {
      pauseMs = MIN_PAUSE_MS;
      continue;
    }
    if (isLast) return;
    // Looked at once more, since a record may have come between the reading and the end.
    isLast = (await store.state(batchId))?.isEnded ?? true;
    if (isLast) continue;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }
}

function openingOf({ cursor }: BatchPiece): Buffer {
  return Buffer.from(`{"cursor":${JSON.stringify(cursor)},`);
}

/** What was sent and is still stored; the oldest is let go when there is too much of it. */
class KeptWindow {
  readonly #options: ReadBatchOptions;
  readonly #pieces: { readonly cursor: BatchCursor; readonly sizeBytes: number }[] = [];
  #bytes = 0;

  constructor(options: ReadBatchOptions) {
    this.#options = options;
  }

  /** Several are let go at a time, since each time is a way to the store and back. */
  async add({ cursor, bytes }: BatchPiece): Promise<void> {
    const { store, batchId, keptBytes } = this.#options;
    this.#pieces.push({ cursor, sizeBytes: bytes.length });
    this.#bytes += bytes.length;
    if (this.#bytes <= 2 * keptBytes) return;
    let last: BatchCursor | undefined;
    while (this.#bytes > keptBytes) {
      const oldest = this.#pieces.shift() as { cursor: BatchCursor; sizeBytes: number };
      this.#bytes -= oldest.sizeBytes;
      last = oldest.cursor;
    }
    if (last !== undefined) await store.forget(batchId, last);
  }
}
