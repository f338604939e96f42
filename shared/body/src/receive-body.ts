import type { Readable } from 'node:stream';
import { PreflightError } from '@preflight/core';
import { refuseLarger } from './refuse-larger.js';
import { allocateShared, type SharedBytes } from './shared-bytes.js';

export interface ReceiveBodyOptions {
  /** The body may be this long. */
  readonly limitBytes: number;
  /** What the sender announced, if anything. A wrong figure costs a copy, nothing else. */
  readonly contentLength?: number | undefined;
  /** Gives memory of at least so many bytes; fresh memory if absent. */
  readonly allocate?: (sizeBytes: number) => SharedBytes;
}

const FIRST_GUESS_BYTES = 64 * 1024;

/**
 * All bytes of a stream, collected straight into shared memory; with a true content length nothing is copied twice.
 *
 * A body over the limit is refused as soon as that is known: before the first byte where the content length says so.
 * The stream is then left paused and not destroyed, so that an answer can still be sent on the same connection, which
 * should be closed with it.
 *
 * @throws PreflightError `body_too_large` with `limit_bytes` and `size_bytes` (announced, or received so far);
 * `request_cancelled` if the stream ends by an abort or an error, which is its cause; the error itself if it has a code.
 */
export async function receiveBody(stream: Readable, options: ReceiveBodyOptions): Promise<SharedBytes> {
  const { limitBytes, allocate = allocateShared } = options;
  const announcedBytes = options.contentLength ?? 0;
  refuseLarger(limitBytes, announcedBytes);

  let body = allocate(announcedBytes > 0 ? announcedBytes : Math.min(FIRST_GUESS_BYTES, limitBytes));
  let receivedBytes = 0;
  for await (const chunk of chunksOf(stream)) {
    const neededBytes = receivedBytes + chunk.length;
    refuseLarger(limitBytes, neededBytes);
    if (neededBytes > body.length) {
      const larger = allocate(Math.min(Math.max(neededBytes, body.length * 2), limitBytes));
      larger.set(body.subarray(0, receivedBytes));
      body = larger;
    }
    body.set(chunk, receivedBytes);
    receivedBytes = neededBytes;
  }
  return body.subarray(0, receivedBytes);
}

/** The chunks of a stream, which stays open if the reader stops early; its errors are those of a caller who left. */
async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw cause instanceof PreflightError ? cause : new PreflightError('request_cancelled', { cause });
  }
}
