import { PreflightError } from '@preflight/core';
import type {
  Digest,
  PayloadFigures,
  PayloadStore,
  PutOptions,
  PutStreamOptions,
  SharedBytes,
} from './payload-store.js';

export interface MemoryPayloadStoreOptions {
  /** All payloads together. Default 512 MiB. */
  readonly maxBytes?: number | undefined;
  readonly now?: () => number;
}

const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
const UPLOAD = 'upload';

/** Whoever announces much has sent nothing yet: no more room than this is taken on trust, then twice what has come. */
const TRUSTED_BYTES = 1024 * 1024;

/** Room for chunks whose number nobody has announced. */
const FIRST_GUESS_BYTES = 64 * 1024;

/** How often expired payloads are looked for while nobody calls. */
const SWEEP_MS = 5_000;

interface Payload {
  readonly bytes: SharedBytes;
  /** Holder to the time at which its hold ends. */
  readonly holders: Map<string, number>;
}

/** Payloads in the memory of this process. What does not fit is refused; nothing that is held is ever evicted. */
export class MemoryPayloadStore implements PayloadStore {
  readonly #payloads = new Map<Digest, Payload>();
  readonly #leases = new Map<string, Set<Digest>>();
  readonly #maxBytes: number;
  readonly #now: () => number;
  readonly #sweeper: NodeJS.Timeout;
  #usedBytes = 0;

  constructor({ maxBytes = DEFAULT_MAX_BYTES, now = Date.now }: MemoryPayloadStoreOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#now = now;
    this.#sweeper = setInterval(() => this.#removeExpired(), SWEEP_MS).unref();
  }

  async put(digest: Digest, bytes: Uint8Array, { lease = UPLOAD, lifetimeMs }: PutOptions): Promise<void> {
    if (!this.#find(digest)) {
      this.#makeRoom(bytes.length);
      this.#payloads.set(digest, { bytes: toShared(bytes), holders: new Map() });
      this.#usedBytes += bytes.length;
    }
    this.#hold(lease, digest, lifetimeMs);
  }

  async putStream(
    digest: Digest,
    chunks: AsyncIterable<Uint8Array>,
    { lifetimeMs, sizeBytes = FIRST_GUESS_BYTES }: PutStreamOptions,
  ): Promise<void> {
    const room = new Room(sizeBytes, (neededBytes) => this.#reserve(neededBytes));
    try {
      room.growTo(Math.min(sizeBytes, TRUSTED_BYTES));
      for await (const chunk of chunks) room.append(chunk);
    } finally {
      this.#usedBytes -= room.reservedBytes;
    }
    await this.put(digest, room.received(), { lifetimeMs });
  }

  async has(digests: readonly Digest[]): Promise<boolean[]> {
    return digests.map((digest) => this.#find(digest) !== undefined);
  }

  async get(digest: Digest): Promise<SharedBytes | undefined> {
    return this.#find(digest)?.bytes;
  }

  async lease(jobId: string, digests: readonly Digest[], lifetimeMs: number): Promise<Digest[]> {
    return digests.filter((digest) => !this.#hold(jobId, digest, lifetimeMs));
  }

  putOwn(jobId: string, bytes: Uint8Array, lifetimeMs: number): Promise<void> {
    return this.put(ownName(jobId), bytes, { lease: jobId, lifetimeMs });
  }

  getOwn(jobId: string): Promise<Buffer | undefined> {
    return this.get(ownName(jobId));
  }

  async release(jobIds: readonly string[]): Promise<void> {
    for (const jobId of jobIds) {
      for (const digest of this.#leases.get(jobId) ?? []) {
        this.#payloads.get(digest)?.holders.delete(jobId);
        this.#find(digest);
      }
      this.#leases.delete(jobId);
    }
  }

  async keep(digest: Digest, lifetimeMs: number): Promise<boolean> {
    return this.#hold(UPLOAD, digest, lifetimeMs);
  }

  async figures(): Promise<PayloadFigures> {
    this.#removeExpired();
    return { usedBytes: this.#usedBytes, limitBytes: this.#maxBytes };
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#payloads.clear();
    this.#leases.clear();
    this.#usedBytes = 0;
  }

  #hold(holder: string, digest: Digest, lifetimeMs: number): boolean {
    const payload = this.#payloads.get(digest);
    // A payload that was just put has no holder yet, and is here all the same.
    if (!payload || (payload.holders.size > 0 && !this.#find(digest))) return false;
    const untilMs = this.#now() + lifetimeMs;
    payload.holders.set(holder, Math.max(untilMs, payload.holders.get(holder) ?? 0));
    if (holder !== UPLOAD) {
      const leases = this.#leases.get(holder) ?? new Set();
      this.#leases.set(holder, leases.add(digest));
    }
    return true;
  }

  /** The payload, if anybody holds it still; otherwise it is removed here. */
  #find(digest: Digest): Payload | undefined {
    const payload = this.#payloads.get(digest);
    if (!payload) return undefined;
    const now = this.#now();
    for (const [holder, untilMs] of payload.holders) {
      if (untilMs > now) continue;
      payload.holders.delete(holder);
      const leases = this.#leases.get(holder);
      leases?.delete(digest);
      if (leases?.size === 0) this.#leases.delete(holder);
    }
    if (payload.holders.size > 0) return payload;
    this.#payloads.delete(digest);
    this.#usedBytes -= payload.bytes.length;
    return undefined;
  }

  #reserve(neededBytes: number): void {
    this.#makeRoom(neededBytes);
    this.#usedBytes += neededBytes;
  }

  #makeRoom(neededBytes: number): void {
    if (this.#usedBytes + neededBytes <= this.#maxBytes) return;
    this.#removeExpired();
    if (this.#usedBytes + neededBytes <= this.#maxBytes) return;
    throw new PreflightError('overloaded', {
      internalDetail: 'the payload store is full',
      params: { usedBytes: this.#usedBytes, neededBytes, limitBytes: this.#maxBytes },
    });
  }

  #removeExpired(): void {
    for (const digest of [...this.#payloads.keys()]) this.#find(digest);
  }
}

/** No digest. */
function ownName(jobId: string): string {
  return `job:${jobId}`;
}

/** Shared memory that grows with what comes, and is asked for before it is taken. */
class Room {
  #bytes: SharedBytes = allocate(0);
  #length = 0;

  constructor(
    private readonly announcedBytes: number,
    private readonly reserve: (moreBytes: number) => void,
  ) {}

  get reservedBytes(): number {
    return this.#bytes.length;
  }

  append(chunk: Uint8Array): void {
    const neededBytes = this.#length + chunk.length;
    if (neededBytes > this.#bytes.length) {
      const doubledBytes = Math.max(neededBytes, 2 * this.#bytes.length);
      const isAnnounced = neededBytes <= this.announcedBytes;
      this.growTo(isAnnounced ? Math.min(doubledBytes, this.announcedBytes) : doubledBytes);
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = neededBytes;
  }

  growTo(sizeBytes: number): void {
    this.reserve(sizeBytes - this.#bytes.length);
    const larger = allocate(sizeBytes);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  /** Without the room that was not needed, unless that is none. */
  received(): SharedBytes {
    const received = this.#bytes.subarray(0, this.#length);
    return received.length === this.#bytes.length ? received : copyOf(received);
  }
}

function allocate(sizeBytes: number): SharedBytes {
  return Buffer.from(new SharedArrayBuffer(sizeBytes));
}

function copyOf(bytes: Uint8Array): SharedBytes {
  const copy = allocate(bytes.length);
  copy.set(bytes);
  return copy;
}

/** A view if the bytes are shared already, otherwise a copy. */
function toShared(bytes: Uint8Array): SharedBytes {
  const { buffer, byteOffset, byteLength } = bytes;
  if (buffer instanceof SharedArrayBuffer) return Buffer.from(buffer, byteOffset, byteLength);
  return copyOf(bytes);
}
