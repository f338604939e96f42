import type { ChainableCommander, Redis } from 'ioredis';
import { disconnectRedis } from '../redis/connect-redis.js';
import { storageKeys } from '../redis/keys.js';
import { isOnePiece, pieceOf, readPieces, writeOnce, writePieces, writeStream } from '../redis/pieces.js';
import { orStorageError } from '../redis/storage-error.js';
import { answersOf } from '../redis/transaction.js';
import { HOLD_SCRIPT, PUT_SCRIPT, RELEASE_SCRIPT } from './payload-scripts.js';
import {
  type Digest,
  MAX_AHEAD_BYTES,
  type PayloadFigures,
  type PayloadStore,
  type PutOptions,
  type PutStreamOptions,
  type SharedBytes,
} from './payload-store.js';

const UPLOAD = 'upload';

/** Below this it costs less to send the bytes than to ask first whether they are known. */
const ASK_FIRST_BYTES = 64 * 1024;

/** So many digests in one script: it takes Redis about 2 ms, in which it does nothing else. */
const BATCH_DIGESTS = 500;

/**
 * Payloads on a Redis that does not evict. All that belongs together changes by transactions and small scripts, so
 * that a crash at any point leaves nothing half done, and everything has a lifetime.
 *
 * Costs: a small payload one way there and back, a large one 3 ms a MiB (on this machine), both ways.
 */
export class RedisPayloadStore implements PayloadStore {
  readonly #redis: Redis;
  readonly #ahead: Redis;

  /** What is closed with the store. `ahead` is the connection by which jobs are added, if that is another one. */
  constructor(redis: Redis, { ahead = redis }: { readonly ahead?: Redis } = {}) {
    this.#redis = redis;
    this.#ahead = ahead;
  }

  put(digest: Digest, bytes: Uint8Array, { lease = UPLOAD, lifetimeMs }: PutOptions): Promise<void> {
    return orStorageError(async () => {
      if (bytes.length >= ASK_FIRST_BYTES) {
        const [isMissing] = await this.#hold(lease, [digest], lifetimeMs);
        if (!isMissing) return;
      }
      if (isOnePiece(bytes)) return this.#putOne(digest, pieceOf(bytes, 0), lease, lifetimeMs);
      await writePieces(this.#redis, storageKeys.payload(digest), bytes, {
        lifetimeMs,
        andThen: (commands) => void holdIn(commands, lease, [digest], lifetimeMs),
      });
    });
  }

  putStream(
    digest: Digest,
    chunks: AsyncIterable<Uint8Array>,
    { lifetimeMs }: PutStreamOptions,
  ): Promise<void> {
    return orStorageError(async () => {
      await writeStream(this.#redis, storageKeys.payload(digest), chunks, {
        lifetimeMs,
        andThen: (commands) => void holdIn(commands, UPLOAD, [digest], lifetimeMs),
      });
    });
  }

  has(digests: readonly Digest[]): Promise<boolean[]> {
    return orStorageError(async () => {
      const found: boolean[] = [];
      for (const batch of batchesOf(digests)) {
        const commands = this.#redis.pipeline();
        for (const digest of batch) commands.exists(storageKeys.payload(digest));
        for (const answer of await answersOf(commands)) found.push(answer === 1);
      }
      return found;
    });
  }

  get(digest: Digest): Promise<SharedBytes | undefined> {
    return orStorageError(() => readPieces(this.#redis, storageKeys.payload(digest)));
  }

  lease(jobId: string, digests: readonly Digest[], lifetimeMs: number): Promise<Digest[]> {
    return orStorageError(() => this.#hold(jobId, digests, lifetimeMs));
  }

  putOwn(jobId: string, bytes: Uint8Array, lifetimeMs: number): Promise<void> {
    const key = storageKeys.ownPayload(jobId);
    return orStorageError(async () => {
      if (bytes.length <= MAX_AHEAD_BYTES)
        await this.#ahead.set(key, pieceOf(bytes, 0), 'PX', Math.ceil(lifetimeMs));
      else await writeOnce(this.#redis, key, bytes, { lifetimeMs: Math.ceil(lifetimeMs) });
    });
  }

  getOwn(jobId: string): Promise<Buffer | undefined> {
    const key = storageKeys.ownPayload(jobId);
    return orStorageError(async () => {
      try {
        return (await this.#ahead.getBuffer(key)) ?? undefined;
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('WRONGTYPE'))) throw error;
        return readPieces(this.#redis, key);
      }
    });
  }

  release(jobIds: readonly string[]): Promise<void> {
    return orStorageError(async () => {
      for (let left = jobIds; left.length > 0; ) {
        const batch = left.slice(0, BATCH_DIGESTS);
        const keys = batch.flatMap((jobId) => [storageKeys.leases(jobId), storageKeys.ownPayload(jobId)]);
        const args = [BATCH_DIGESTS, storageKeys.payload(''), storageKeys.holders(''), ...batch];
        const released = await RELEASE_SCRIPT.run(this.#redis, keys, args);
        left = left.slice(released as number);
      }
    });
  }

  async keep(digest: Digest, lifetimeMs: number): Promise<boolean> {
    const missing = await orStorageError(() => this.#hold(UPLOAD, [digest], lifetimeMs));
    return missing.length === 0;
  }

  /** Of the whole Redis, jobs and results included. */
  figures(): Promise<PayloadFigures> {
    return orStorageError(async () => {
      const info = await this.#redis.info('memory');
      const bytesOf = (field: string) => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
      return { usedBytes: bytesOf('used_memory'), limitBytes: bytesOf('maxmemory') || undefined };
    });
  }

  async close(): Promise<void> {
    await Promise.all([disconnectRedis(this.#redis), disconnectRedis(this.#ahead)]);
  }

  async #putOne(digest: Digest, bytes: Buffer, holder: string, lifetimeMs: number): Promise<void> {
    const args = [holder, Math.ceil(lifetimeMs), digest, bytes.length, bytes];
    await PUT_SCRIPT.run(this.#redis, keysOf(storageKeys.leases(holder), [digest]), args);
  }

  async #hold(holder: string, digests: readonly Digest[], lifetimeMs: number): Promise<Digest[]> {
    const missing: Digest[] = [];
    for (const batch of batchesOf(digests)) {
      const keys = keysOf(storageKeys.leases(holder), batch);
      const answer = await HOLD_SCRIPT.run(this.#redis, keys, [holder, Math.ceil(lifetimeMs), ...batch]);
      missing.push(...(answer as Digest[]));
    }
    return missing;
  }
}

function holdIn(
  commands: ChainableCommander,
  holder: string,
  digests: readonly Digest[],
  lifetimeMs: number,
): ChainableCommander {
  const keys = keysOf(storageKeys.leases(holder), digests);
  return commands.eval(HOLD_SCRIPT.text, keys.length, ...keys, holder, Math.ceil(lifetimeMs), ...digests);
}

function keysOf(leases: string, digests: readonly Digest[]): string[] {
  return [leases, ...digests.flatMap((digest) => [storageKeys.payload(digest), storageKeys.holders(digest)])];
}

function* batchesOf(digests: readonly Digest[]): Generator<readonly Digest[]> {
  for (let i = 0; i < digests.length; i += BATCH_DIGESTS) yield digests.slice(i, i + BATCH_DIGESTS);
}
