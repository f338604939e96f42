import type { Readable } from 'node:stream';
import type { Digest, PayloadStore } from '@preflight/storage';
import type { Admission } from '../body/admission.js';
import { refuseOver, verified } from './verified.js';

export interface BlobUploadsOptions {
  readonly payloads: PayloadStore;
  readonly admission: Admission;
  /** Of one blob. */
  readonly limitBytes: number;
  /** How long it is kept after it was last sent or asked for. */
  readonly lifetimeMs: number;
  readonly onReceived?: (bytes: number) => void;
}

/** What of an upload is in memory at a time, about, on its way to a store that is elsewhere. */
const IN_FLIGHT_BYTES = 1024 * 1024;

/** Attachments that travel apart from their requests. */
export class BlobUploads {
  readonly #options: BlobUploadsOptions;

  constructor(options: BlobUploadsOptions) {
    this.#options = options;
  }

  /** Whether it is here; if so, it is kept for another lifetime. */
  keep(digest: Digest): Promise<boolean> {
    return this.#options.payloads.keep(digest, this.#options.lifetimeMs);
  }

  /**
   * Stores the bytes if they are those of the digest. What is known already is read to its end and thrown away, so
   * that the same call has the same answer each time. The stream is left open when it is refused.
   *
   * @throws PreflightError the codes of `verified`, `overloaded` and `storage_unavailable`
   */
  async receive(digest: Digest, stream: Readable, announcedBytes: number | undefined): Promise<Received> {
    const { payloads, admission, limitBytes, lifetimeMs, onReceived } = this.#options;
    refuseOver(limitBytes, announcedBytes ?? 0);
    const permit = admission.admit(Math.min(announcedBytes ?? limitBytes, IN_FLIGHT_BYTES));
    try {
      let sizeBytes = 0;
      async function* counted() {
        const chunks: AsyncIterable<Uint8Array> = stream.iterator({ destroyOnReturn: false });
        for await (const chunk of verified(chunks, { digest, limitBytes })) {
          sizeBytes += chunk.length;
          onReceived?.(chunk.length);
          yield chunk;
        }
      }
      const isKnown = await this.keep(digest);
      if (isKnown) for await (const _ of counted());
      else await payloads.putStream(digest, counted(), { lifetimeMs, sizeBytes: announcedBytes });
      return { isNew: !isKnown, sizeBytes };
    } finally {
      permit.release();
    }
  }
}

export interface Received {
  readonly isNew: boolean;
  readonly sizeBytes: number;
}
