import type { Readable } from 'node:stream';
import { PreflightError } from '@preflight/core';
import { refuseLarger } from './refuse-larger.js';
import { allocateShared, copyInto, type SharedBytes } from './shared-bytes.js';

export interface ReceiveBodyOptions {
  /** The body may be this long. */
  readonly limitBytes: number;
  /** What the sender announced, if anything. A wrong figure costs a copy, nothing else. */
  readonly contentLength?: number | undefined;
  /** Where memory comes from and goes; fresh memory if absent. */
  readonly memory?: BodyMemory;
  /** Called with memory that the body comes into; what it gives, with how many bytes are there, whenever there are more. */
  readonly watch?: WatchMemory | undefined;
  /** Told how many bytes of memory the body takes from now on, before it takes them; throws to refuse it. */
  readonly reserve?: (bytes: number) => void;
}

export type WatchMemory = (memory: SharedBytes) => (receivedBytes: number) => void;

export interface BodyMemory {
  /** At least so many bytes, with anything in them. */
  take(sizeBytes: number): SharedBytes;
  /** Nobody looks at it any more. */
  giveBack(bytes: SharedBytes): void;
}

const FRESH: BodyMemory = { take: allocateShared, giveBack: () => undefined };
const UNWATCHED = () => () => undefined;

const FIRST_GUESS_BYTES = 64 * 1024;
/** Whoever announces much has sent nothing yet: no more than this is taken on trust, at first and ahead of what has come. */
const TRUSTED_BYTES = 1024 * 1024;
/** Up to here memory is taken for all that was announced, so that nothing has to move: it is only reserved, not written to. */
const ROOM_BYTES = 16 * 1024 * 1024;

/**
 * All bytes of a stream, collected straight into shared memory. With a true content length, no more than a mebibyte is
 * copied twice, and nothing of up to 16; and memory that was announced is not taken before the bytes come, since the system hands out pages only
 * when they are written to.
 *
 * A body over the limit is refused as soon as that is known: before the first byte where the content length says so.
 * The stream is then left paused and not destroyed, so that an answer can still be sent on the same connection, which
 * should be closed with it.
 *
 * @throws PreflightError `body_too_large` with `limit_bytes` and `size_bytes` (announced, or received so far);
 * `request_cancelled` if the stream ends by an abort or an error, which is its cause; the error itself if it has a code;
 * whatever `reserve` throws.
 */
export async function receiveBody(stream: Readable, options: ReceiveBodyOptions): Promise<SharedBytes> {
  const { limitBytes, memory = FRESH, watch = UNWATCHED, reserve = () => undefined } = options;
  const announcedBytes = options.contentLength || 0;
  refuseLarger(limitBytes, announcedBytes);

  let reservedBytes = Math.min(
    announcedBytes > 0 ? announcedBytes : FIRST_GUESS_BYTES,
    TRUSTED_BYTES,
    limitBytes,
  );
  reserve(reservedBytes);
  let body = memory.take(
    announcedBytes <= ROOM_BYTES ? Math.max(announcedBytes, reservedBytes) : reservedBytes,
  );
  let tell = watch(body);
  let receivedBytes = 0;
  const makeRoom = (neededBytes: number) => {
    const isAnnounced = neededBytes <= announcedBytes;
    reservedBytes = isAnnounced
      ? Math.min(announcedBytes, neededBytes + TRUSTED_BYTES)
      : Math.min(limitBytes, Math.max(neededBytes, 2 * reservedBytes));
    if (neededBytes <= body.length) return reserve(reservedBytes);
    // While it is copied, it is there twice.
    reserve(receivedBytes + reservedBytes);
    const larger = memory.take(isAnnounced ? announcedBytes : reservedBytes);
    copyInto(larger, body.subarray(0, receivedBytes), 0);
    memory.giveBack(body);
    body = larger;
    tell = watch(body);
    reserve(reservedBytes);
  };
  try {
    for await (const chunk of chunksOf(stream)) {
      const neededBytes = receivedBytes + chunk.length;
      refuseLarger(limitBytes, neededBytes);
      if (neededBytes > Math.min(reservedBytes, body.length)) makeRoom(neededBytes);
      copyInto(body, chunk, receivedBytes);
      receivedBytes = neededBytes;
      tell(receivedBytes);
    }
  } catch (error) {
    memory.giveBack(body);
    throw error;
  }
  reserve(receivedBytes);
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
