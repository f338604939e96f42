import type { Redis } from 'ioredis';
import { disconnectRedis } from '../redis/connect-redis.js';
import { storageKeys } from '../redis/keys.js';
import { Script } from '../redis/script.js';
import { orStorageError } from '../redis/storage-error.js';
import { answersOf } from '../redis/transaction.js';
import type { BatchCursor, BatchPiece, BatchState, BatchStore, BatchStoreOptions } from './batch-store.js';
import { PIECE_OVERHEAD_BYTES, piecesOf, storedBytesOf } from './piece-bytes.js';

/** Pieces that are read at a time, of 512 KiB at most. */
const READ_PIECES = 16;

const WRITER = 'writer:';

/**
 * Lets go of what was read; each piece is counted once, however many have read it.
 *
 *   KEYS[1]   stream of the pieces
 *   KEYS[2]   hash of the batch
 *   ARGV[1]   id of the last piece to go
 *   ARGV[2]   what a piece takes besides its bytes
 *
 * Only commands that Redis runs when its memory is full: this is what makes room.
 */
const FORGET_SCRIPT = new Script(`
local freed = 0
local entries
repeat
  entries = redis.call('XRANGE', KEYS[1], '-', ARGV[1], 'COUNT', 16)
  for _, entry in ipairs(entries) do
    freed = freed + #entry[2][2] + ARGV[2]
    redis.call('XDEL', KEYS[1], entry[1])
  end
until #entries == 0
if freed > 0 and redis.call('EXISTS', KEYS[2]) == 1 then redis.call('HINCRBY', KEYS[2], 'bytes', -freed) end`);

/** The id of the newest piece that ever came, also when it was let go of; nil if none did. */
const LAST_ID_SCRIPT = new Script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return nil end
local info = redis.call('XINFO', 'STREAM', KEYS[1])
for i = 1, #info, 2 do
  if info[i] == 'last-generated-id' then return info[i + 1] end
end`);

/**
 * Batches on a Redis that does not evict: a stream of pieces, and a hash with `bytes` (stored) and, for each writer,
 * `writer:…`: until when it is heard of (ms since 1970, by its own clock).
 */
export class RedisBatchStore implements BatchStore {
  readonly #redis: Redis;
  readonly #lifetimeMs: number;

  /** The connection is the store's own from now on. */
  constructor(redis: Redis, { lifetimeMs }: BatchStoreOptions) {
    this.#redis = redis;
    this.#lifetimeMs = lifetimeMs;
  }

  open(batchId: string, writer: string, openForMs: number): Promise<void> {
    return orStorageError(async () => {
      const [batch, results] = keysOf(batchId);
      const commands = this.#redis.multi().hincrby(batch, 'bytes', 0);
      commands.hset(batch, WRITER + writer, Date.now() + openForMs);
      await answersOf(commands.pexpire(batch, this.#lifetimeMs).pexpire(results, this.#lifetimeMs));
    });
  }

  /** Works when Redis is full, too. */
  end(batchId: string, writer: string): Promise<void> {
    return orStorageError(async () => {
      const [batch, results] = keysOf(batchId);
      const commands = this.#redis.multi().hdel(batch, WRITER + writer);
      await answersOf(commands.pexpire(batch, this.#lifetimeMs).pexpire(results, this.#lifetimeMs));
    });
  }

  append(batchId: string, record: Uint8Array): Promise<number> {
    return orStorageError(async () => {
      const [batch, results] = keysOf(batchId);
      const pieces = piecesOf(record);
      const commands = this.#redis.multi().hincrby(batch, 'bytes', storedBytesOf(pieces));
      for (const [i, piece] of pieces.entries())
        commands.xadd(results, '*', i === 0 ? 'first' : 'more', piece);
      commands.pexpire(batch, this.#lifetimeMs).pexpire(results, this.#lifetimeMs);
      const [storedBytes] = await answersOf(commands);
      return storedBytes as number;
    });
  }

  read(batchId: string, after: BatchCursor): Promise<BatchPiece[]> {
    return orStorageError(async () => {
      const [, results] = keysOf(batchId);
      const start = after === '' ? '-' : `(${after}`;
      const entries = await this.#redis.xrangeBuffer(results, start, '+', 'COUNT', READ_PIECES);
      return entries.map(([id, [kind, bytes]]) => ({
        cursor: id.toString('latin1'),
        bytes: bytes as Buffer,
        isFirst: kind?.toString('latin1') === 'first',
      }));
    });
  }

  hasReached(batchId: string, cursor: BatchCursor): Promise<boolean> {
    return orStorageError(async () => {
      const [, results] = keysOf(batchId);
      const last = (await LAST_ID_SCRIPT.run(this.#redis, [results], [])) as string | null;
      return cursor === '' || isUpTo(cursor, last ?? `${Date.now()}-0`);
    });
  }

  forget(batchId: string, upTo: BatchCursor): Promise<void> {
    return orStorageError(async () => {
      const [batch, results] = keysOf(batchId);
      await FORGET_SCRIPT.run(this.#redis, [results, batch], [upTo, PIECE_OVERHEAD_BYTES]);
    });
  }

  state(batchId: string): Promise<BatchState | undefined> {
    return orStorageError(async () => {
      const [batch] = keysOf(batchId);
      const { bytes, ...writers } = await this.#redis.hgetall(batch);
      if (bytes === undefined) return undefined;
      const isEnded = Object.values(writers).every((openUntilMs) => Number(openUntilMs) <= Date.now());
      return { storedBytes: Number(bytes), isEnded };
    });
  }

  close(): Promise<void> {
    return disconnectRedis(this.#redis);
  }
}

/** Whether a stream id, milliseconds and a number in them, is not behind another. */
function isUpTo(id: string, last: string): boolean {
  const [ms, number] = id.split('-').map(BigInt);
  const [lastMs, lastNumber] = last.split('-').map(BigInt) as [bigint, bigint];
  if (ms === undefined || number === undefined) return false;
  return ms < lastMs || (ms === lastMs && number <= lastNumber);
}

function keysOf(batchId: string): [batch: string, results: string] {
  return [storageKeys.batch(batchId), storageKeys.batchResults(batchId)];
}
