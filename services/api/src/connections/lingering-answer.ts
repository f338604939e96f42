import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { finished, Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { whenAborted } from './when-aborted.js';

/** A caller in the middle of sending gets this long to read the answer. */
export const LINGER_MS = 5_000;
/** No longer than this while the service stops. */
const STOPPING_LINGER_MS = 1_000;
const LINGER_BYTES = 256 * 1024 * 1024;

/** Whether the answer comes before the end of the request's body. */
export function isStillSending({ complete, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
  return hasBody && !complete;
}

/**
 * The bytes of an answer to a caller who is still sending, as a stream that ends only when the caller has: a connection
 * that is closed on bytes that nobody has read is reset, and the caller may never see the answer. What still comes is
 * discarded, for a bounded time and number of bytes. Goes with `content-length`, so that the caller sees at once that
 * the answer is whole, and with `connection: close`.
 */
export function lingeringAnswer(
  payload: Uint8Array,
  { raw, connection }: FastifyRequest,
  draining: AbortSignal,
): Readable {
  async function* payloadThenNothing() {
    yield payload;
    // A request whose body has failed is destroyed, and gives nothing any more.
    await (raw.destroyed ? discardAll(connection, draining) : discard(raw, connection, draining));
  }
  return Readable.from(payloadThenNothing(), { objectMode: false });
}

/** Discards what comes over a connection that no request is to come over any more; bounded as above. */
export function discardAll(connection: Socket, draining?: AbortSignal): Promise<void> {
  // Node's parser is to see nothing of it.
  connection.removeAllListeners('data');
  return discard(connection, connection, draining);
}

/** Reads and forgets what comes, until it ends, the other side stops sending, or enough has come. */
function discard(stream: Readable, connection: Socket, draining?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let leftBytes = LINGER_BYTES;
    const count = (chunk: Uint8Array) => {
      leftBytes -= chunk.length;
      if (leftBytes < 0) end();
    };
    const end = () => {
      clearTimeout(timer);
      draining?.removeEventListener('abort', endSoon);
      stopWatching();
      stream.off('data', count);
      connection.off('end', end);
      stream.pause();
      resolve();
    };
    const endSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(end, STOPPING_LINGER_MS);
    };
    let timer = setTimeout(end, LINGER_MS);
    if (draining) whenAborted(draining, endSoon);
    const stopWatching = finished(stream, { writable: false }, end);
    connection.once('end', end);
    if (connection.readableEnded || connection.destroyed) end();
    else stream.on('data', count).resume();
  });
}
