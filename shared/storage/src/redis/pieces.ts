import { randomUUID } from 'node:crypto';
import { PreflightError } from '@preflight/core';
import type { ChainableCommander, Redis } from 'ioredis';
import { storageKeys } from './keys.js';
import { Script } from './script.js';
import { answersOf } from './transaction.js';

/**
 * A value in pieces, as a hash: `size`, and `0`, `1`, … with 512 KiB each. ioredis copies a value when it writes it and
 * again when it reads it, in one turn of the event loop: in one piece 8 MiB hold the loop for 10 to 50 ms and take 50
 * to be written; in these it is 2 ms at a time, and 9 ms in all.
 */
const PIECE_BYTES = 512 * 1024;

const SIZE_FIELD = 'size';

/**
 * Writes a value of one piece if there is none: one command in place of five.
 *
 *   KEYS[1]   where it is to stand
 *   ARGV[1]   lifetime in ms
 *   ARGV[2]   size
 *   ARGV[3]   bytes
 *   ARGV[4]   a channel on which it is told, or nothing; whether anybody may or does listen is no affair of the writer
 *   ARGV[5]   what the message begins with
 *   ARGV[6]   whether the value follows: `1` or `0`
 *
 *   returns   1, or 0 if there was a value
 */
const WRITE_ONE_PIECE_SCRIPT = new Script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'size', ARGV[2], '0', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
if ARGV[4] then redis.pcall('PUBLISH', ARGV[4], ARGV[5] .. (ARGV[6] == '1' and ARGV[3] or '')) end
return 1`);

/**
 * Gives an upload the name of its value, if there is none and no piece has been lost.
 *
 *   KEYS[1]   the upload
 *   KEYS[2]   where the value is to stand
 *   ARGV[1]   lifetime in ms
 *   ARGV[2]   how many fields it has: its pieces, and `size`
 *
 *   returns   1; 0 if there was a value; -1 if pieces are gone, because the next ones were too long in coming
 */
const NAME_SCRIPT = `
local named = -1
if redis.call('HLEN', KEYS[1]) == tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  named = redis.call('RENAMENX', KEYS[1], KEYS[2])
end
redis.call('UNLINK', KEYS[1])
return named`;

/** What is not yet whole is gone after this long without a further piece. */
const UPLOAD_LIFETIME_MS = 60_000;

/** So many pieces are on their way at a time, so that the way there and back is not waited for at each. */
const PIECES_IN_FLIGHT = 2;

/** Whether a value is written and read in one command. */
export function isOnePiece(bytes: Uint8Array): boolean {
  return bytes.length <= PIECE_BYTES;
}

export interface WriteOnceOptions {
  readonly lifetimeMs: number;
  /** Who is to be told: on which channel, what the message begins with, and whether the value, of one piece, follows. */
  readonly tell?: { readonly channel: string; readonly start: string; readonly isWhole: boolean } | undefined;
}

/**
 * Writes a value under `key` if there is none, whole or not at all: several pieces go to a key of their own, and the last
 * command renames it. Returns whether there was none, so that this value stands there now.
 */
export async function writeOnce(
  redis: Redis,
  key: string,
  bytes: Uint8Array,
  { lifetimeMs, tell }: WriteOnceOptions,
): Promise<boolean> {
  if (!isOnePiece(bytes)) {
    const isWritten = await writePieces(redis, key, bytes, { lifetimeMs });
    if (isWritten && tell) redis.publish(tell.channel, tell.start).catch(() => {});
    return isWritten;
  }
  const told = tell ? [tell.channel, tell.start, Number(tell.isWhole)] : [];
  const args = [lifetimeMs, bytes.length, pieceOf(bytes, 0), ...told];
  return (await WRITE_ONE_PIECE_SCRIPT.run(redis, [key], args)) === 1;
}

/** The same for any number of pieces. `andThen` adds commands that run in the same transaction as the renaming. */
export async function writePieces(
  redis: Redis,
  key: string,
  bytes: Uint8Array,
  options: WritePiecesOptions,
): Promise<boolean> {
  return uploading(redis, key, options, async (upload) => {
    const lastIndex = Math.ceil(bytes.length / PIECE_BYTES) - 1;
    for (let index = 0; index < lastIndex; index += 1) {
      await writePiece(redis, upload, pieceOf(bytes, index), index);
    }
    return { sizeBytes: bytes.length, lastIndex, lastPiece: pieceOf(bytes, lastIndex) };
  });
}

/**
 * The same for a value that comes in chunks of any size, of which one piece is held in memory. Chunks that end by an
 * error leave nothing behind.
 */
export async function writeStream(
  redis: Redis,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  options: WritePiecesOptions,
): Promise<boolean> {
  return uploading(redis, key, options, async (upload) => {
    const piece = Buffer.alloc(PIECE_BYTES);
    let index = 0;
    let filled = 0;
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length; ) {
        if (filled === PIECE_BYTES) {
          await writePiece(redis, upload, piece, index++);
          filled = 0;
        }
        const part = chunk.subarray(from, from + PIECE_BYTES - filled);
        piece.set(part, filled);
        filled += part.length;
        from += part.length;
      }
    }
    const sizeBytes = index * PIECE_BYTES + filled;
    return { sizeBytes, lastIndex: index, lastPiece: piece.subarray(0, filled) };
  });
}

interface LastPiece {
  readonly sizeBytes: number;
  readonly lastIndex: number;
  readonly lastPiece: Buffer;
}

/** Gives pieces a key of their own, and what was written there its name once the last one has come. */
async function uploading(
  redis: Redis,
  key: string,
  { lifetimeMs, andThen }: WritePiecesOptions,
  writeAllButLast: (upload: string) => Promise<LastPiece>,
): Promise<boolean> {
  const upload = storageKeys.upload(randomUUID());
  try {
    const { sizeBytes, lastIndex, lastPiece } = await writeAllButLast(upload);
    const last = redis.multi().hset(upload, SIZE_FIELD, sizeBytes, String(lastIndex), lastPiece);
    last.eval(NAME_SCRIPT, 2, upload, key, lifetimeMs, lastIndex + 2);
    andThen?.(last);
    const [, named] = await answersOf(last);
    if (named === -1)
      throw new PreflightError('storage_unavailable', { internalDetail: 'an upload took too long' });
    return named === 1;
  } catch (error) {
    redis.unlink(upload).catch(() => {});
    throw error;
  }
}

/** The key never stands without a lifetime; after the first piece that needs no transaction, which costs twice the time. */
async function writePiece(redis: Redis, key: string, piece: Buffer, index: number): Promise<void> {
  const field = String(index);
  if (index === 0) await answersOf(redis.multi().hset(key, field, piece).pexpire(key, UPLOAD_LIFETIME_MS));
  else await Promise.all([redis.hset(key, field, piece), redis.pexpire(key, UPLOAD_LIFETIME_MS)]);
}

export interface WritePiecesOptions {
  readonly lifetimeMs: number;
  readonly andThen?: (commands: ChainableCommander) => void;
}

/** The value under `key` in shared memory, or undefined if there is none, or none any more. */
export async function readPieces(redis: Redis, key: string): Promise<Buffer<SharedArrayBuffer> | undefined> {
  const [size, first] = await redis.hmgetBuffer(key, SIZE_FIELD, '0');
  if (!size) return undefined;
  const sizeBytes = Number(size.toString('latin1'));
  const bytes = Buffer.from(new SharedArrayBuffer(sizeBytes));
  if (!first || first.length !== Math.min(sizeBytes, PIECE_BYTES)) return undefined;
  bytes.set(first);

  let isWhole = true;
  let next = 1;
  const readOn = async () => {
    while (isWhole && next * PIECE_BYTES < sizeBytes) {
      const offset = next * PIECE_BYTES;
      const piece = await redis.hgetBuffer(key, String(next++));
      if (piece?.length === Math.min(sizeBytes - offset, PIECE_BYTES)) bytes.set(piece, offset);
      else isWhole = false;
    }
  };
  await Promise.all(Array.from({ length: PIECES_IN_FLIGHT }, readOn));
  return isWhole ? bytes : undefined;
}

/** A view; ioredis takes a Buffer only, and copies it. */
export function pieceOf(bytes: Uint8Array, index: number): Buffer {
  const offset = index * PIECE_BYTES;
  const sizeBytes = Math.min(PIECE_BYTES, bytes.length - offset);
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, sizeBytes);
}
