import { isCount } from './count-cache.js';

const COUNT_BYTES = 8;
const CHECK_BYTES = 4;

/**
 * A count as it stands in a store: the number, and a check over key and number. Stores such as LMDB do not notice a
 * flipped bit, and a wrong count would be worse than none.
 */
export function encodeCount(key: Uint8Array, count: number): Buffer {
  const stored = Buffer.allocUnsafe(COUNT_BYTES + CHECK_BYTES);
  stored.writeDoubleLE(count, 0);
  stored.writeUInt32LE(checkOf(key, stored), COUNT_BYTES);
  return stored;
}

/** The count that was stored under this key, or undefined for anything else. */
export function decodeCount(key: Uint8Array, stored: Buffer | undefined): number | undefined {
  if (stored?.length !== COUNT_BYTES + CHECK_BYTES) return undefined;
  if (stored.readUInt32LE(COUNT_BYTES) !== checkOf(key, stored)) return undefined;
  const count = stored.readDoubleLE(0);
  return isCount(count) ? count : undefined;
}

/** FNV-1a over the key and the number. */
function checkOf(key: Uint8Array, stored: Buffer): number {
  let hash = 0x811c9dc5;
  const add = (byte: number) => {
    hash = Math.imul(hash ^ byte, 0x01000193);
  };
  for (let i = 0; i < key.length; i += 1) add(key[i] as number);
  for (let i = 0; i < COUNT_BYTES; i += 1) add(stored[i] as number);
  return hash >>> 0;
}
