import type { IncomingMessage } from 'node:http';
import { PreflightError } from '@preflight/core';

/** Requests that take as long as they take; each bounds by itself how long it may stand still. */
export const ongoingUploads = new WeakSet<IncomingMessage>();

/**
 * The chunks of an upload, each of which must come within some time of being asked for, until the service stops. Throws
 * `request_timeout` and `shutting_down`.
 */
export async function* withoutStandstill(
  upload: IncomingMessage,
  { standstillMs, draining }: { readonly standstillMs: number; readonly draining: AbortSignal },
): AsyncGenerator<Uint8Array> {
  ongoingUploads.add(upload);
  const chunks: AsyncIterator<Uint8Array> = upload
    .iterator({ destroyOnReturn: false })
    [Symbol.asyncIterator]();
  for (;;) {
    const next = await nextChunk();
    if (next.done) return;
    yield next.value;
  }

  function nextChunk(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      const stop = () => settle(() => reject(new PreflightError('shutting_down')));
      const timer = setTimeout(
        () => settle(() => reject(new PreflightError('request_timeout'))),
        standstillMs,
      );
      const settle = (how: () => void) => {
        clearTimeout(timer);
        draining.removeEventListener('abort', stop);
        how();
      };
      if (draining.aborted) return stop();
      draining.addEventListener('abort', stop);
      chunks.next().then(
        (next) => settle(() => resolve(next)),
        (cause) => settle(() => reject(toCancelled(cause))),
      );
    });
  }
}

function toCancelled(cause: unknown): PreflightError {
  return cause instanceof PreflightError ? cause : new PreflightError('request_cancelled', { cause });
}

/** What is sent to a caller who must take each piece within some time; `drop` is called if that passes. */
export async function* takenInTime<Piece>(
  pieces: AsyncIterable<Piece>,
  { standstillMs, drop }: { readonly standstillMs: number; readonly drop: () => void },
): AsyncGenerator<Piece> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const piece of pieces) {
      timer = setTimeout(drop, standstillMs);
      yield piece;
      clearTimeout(timer);
    }
  } finally {
    clearTimeout(timer);
  }
}
