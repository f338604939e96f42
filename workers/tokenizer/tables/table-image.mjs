// The table image of one vocabulary: what the kernel finds at the start of its memory. See assembly/layout.ts.
import { layout } from './layout.mjs';
import { fillRowTables } from './row-tables.mjs';
import { fillWordTables } from './word-tables.mjs';

const M64 = (1n << 64n) - 1n;
const NONE = 0x7fffffff;

function putClasses(image, classes) {
  image.set(classes.subarray(0, 65536), layout.PLANE_CLASSES);
  const blockNumbers = new Map();
  for (let block = 0; block < 0x110000 >> 7; block++) {
    const slice = classes.subarray(block << 7, (block + 1) << 7);
    const key = Buffer.from(slice).toString('latin1');
    if (!blockNumbers.has(key)) {
      const at = layout.CLASSES + (blockNumbers.size << 7);
      if (at + 128 > layout.BYTE_PAIRS) throw new Error('too many class blocks');
      image.set(slice, at);
      blockNumbers.set(key, blockNumbers.size);
    }
    image.writeUInt16LE(blockNumbers.get(key), layout.CLASS_BLOCKS + 2 * block);
  }
}

function putPairs(image, tokens, rankOf, halves) {
  for (let i = 0; i < 65536; i++) image.writeUInt32LE(NONE, layout.BYTE_PAIRS + 4 * i);
  for (let byte = 0; byte < 256; byte++)
    image.writeUInt32LE(rankOf.get(String.fromCharCode(byte)), layout.BYTE_IDS + 4 * byte);
  halves.forEach(([left, right], rank) => {
    image.writeUInt32LE(left, layout.HALVES + 8 * rank);
    image.writeUInt32LE(right, layout.HALVES + 8 * rank + 4);
    const token = tokens[rank];
    if (token.length === 2)
      image.writeUInt32LE(rank, layout.BYTE_PAIRS + 4 * (token.charCodeAt(0) | (token.charCodeAt(1) << 8)));
    const key = (BigInt(left) << 18n) | BigInt(right);
    const hash = (key * layout.HASH_PAIR) & M64;
    const bit = Number(hash >> (64n - layout.PAIR_FILTER_BITS));
    image[layout.PAIR_FILTER + (bit >> 3)] |= 1 << (bit & 7);
    const isFrequent = rank < Number(layout.FREQUENT_RANKS);
    const table = isFrequent ? layout.FREQUENT_PAIRS : layout.PAIRS;
    const slotBits = isFrequent ? layout.FREQUENT_PAIR_SLOT_BITS : layout.PAIR_SLOT_BITS;
    let slot = hash >> (64n - slotBits);
    while (image.readBigUInt64LE(table + 8 * Number(slot)) !== 0n)
      slot = (slot + 1n) & ((1n << slotBits) - 1n);
    image.writeBigUInt64LE((key << 18n) | BigInt(rank), table + 8 * Number(slot));
  });
}

/** 16-byte key of a piece of up to 15 bytes: its bytes, zeros, and its length in the last byte. */
function pieceKey(token) {
  const key = Buffer.alloc(16);
  key.write(token, 'latin1');
  key[15] = token.length;
  return key;
}

/** Fills the slots of the memo, each with the token of lowest rank that belongs there. */
function putMemoSeed(image, tokens) {
  tokens.forEach((token) => {
    if (token.length < 2 || token.length > 15) return;
    const key = pieceKey(token);
    const slot = layout.MEMO_SEED + 16 * Number(hashOf(key) >> 48n);
    if (image[slot + 15] !== 0) return;
    key.copy(image, slot);
    image[slot + 15] |= 0x10;
  });
}

const hashOf = (key) =>
  (key.readBigUInt64LE(0) * layout.HASH_LOW + key.readBigUInt64LE(8) * layout.HASH_HIGH) & M64;

const mixedHash = (hash) => ((hash ^ (hash >> 32n)) * layout.HASH_LINE) & M64;

function putVocabulary(image, tokens) {
  const lineMask = (1 << Number(layout.VOCABULARY_LINE_BITS)) - 1;
  tokens.forEach((token, rank) => {
    if (token.length < 2 || token.length > 15) return;
    const key = pieceKey(token);
    const mixed = mixedHash(hashOf(key));
    const bit = Number(mixed >> (64n - layout.VOCABULARY_FILTER_BITS));
    image[layout.VOCABULARY_FILTER + (bit >> 3)] |= 1 << (bit & 7);
    let line = Number(mixed >> (64n - layout.VOCABULARY_LINE_BITS));
    for (; ; line = (line + 1) & lineMask) {
      const base = layout.VOCABULARY + 64 * line;
      const free = [0, 1, 2, 3].find((slot) => (image[base + 16 * slot + 15] & 15) === 0);
      if (free === undefined) {
        image[base + 15] |= 0x80;
        continue;
      } // "look in the next line too"
      const flag = image[base + 16 * free + 15] & 0x80;
      key.copy(image, base + 16 * free);
      image[base + 16 * free + 15] |= flag | 0x10;
      image.writeUInt32LE(rank, layout.VOCABULARY_IDS + 4 * (4 * line + free));
      break;
    }
  });
}

/**
 * Characters of two and three bytes that are tokens, and what could keep one from forming. A character forms for
 * certain if its rank is below every merge that joins an unfinished part of it to its neighbours.
 */
function putCharacters(image, tokens, rankOf, halves) {
  for (const table of [layout.CHARACTER_IDS, layout.LEFT_BOUNDS, layout.RIGHT_BOUNDS])
    for (let i = 0; i < 65536; i++) image.writeUInt32LE(NONE, table + 4 * i);
  for (let point = 0x80; point < 0x10000; point++) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const rank = rankOf.get(Buffer.from(String.fromCharCode(point)).toString('latin1'));
    if (rank !== undefined) image.writeUInt32LE(rank, layout.CHARACTER_IDS + 4 * point);
  }
  const lower = (table, x, y, rank) => {
    const at = table + 4 * (x | (y << 8));
    if (rank < image.readUInt32LE(at)) image.writeUInt32LE(rank, at);
  };
  const characterLength = (lead) =>
    lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  halves.forEach(([left, right], rank) => {
    const l = tokens[left],
      r = tokens[right];
    const x = l.charCodeAt(l.length - 1),
      y = r.charCodeAt(0);
    // The right half is an unfinished character, or an ASCII byte.
    if (r.length < characterLength(y) || (y < 0x80 && r.length === 1)) lower(layout.LEFT_BOUNDS, x, y, rank);
    // The left half is the end of a character without its lead byte, or an ASCII byte.
    if (/^[\x80-\xbf]+$/.test(l) || (x < 0x80 && l.length === 1)) lower(layout.RIGHT_BOUNDS, x, y, rank);
  });
}

/** Characters that merges join: see assembly/segments.ts. */
function putJoins(image, tokens, halves) {
  const bytesOf = (text) =>
    [...text].reduce((sum, byte, i) => sum + BigInt(byte.charCodeAt(0)) * 256n ** BigInt(i), 0n);
  halves.forEach(([left, right]) => {
    const last = /(?:[\0-\x7f]|[\xc0-\xff][\x80-\xbf]*)$/.exec(tokens[left])?.[0];
    const first =
      /^(?:[\0-\x7f]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xff][\x80-\xbf]{3})/.exec(
        tokens[right],
      )?.[0];
    // Only parts of a character: LEFT_BOUNDS and RIGHT_BOUNDS know them.
    if (last === undefined || first === undefined || last.length > 4) return;
    const bit = Number(
      ((((bytesOf(last) << 32n) | bytesOf(first)) * layout.HASH_PAIR) & M64) >>
        (64n - layout.JOIN_FILTER_BITS),
    );
    image[layout.JOIN_FILTER + (bit >> 3)] |= 1 << (bit & 7);
  });
}

/** What tokens begin with: see assembly/automaton.ts. */
function putPrefixes(image, tokens) {
  const prefixes = new Set();
  for (const token of tokens)
    for (let length = 1; length < Math.min(token?.length ?? 0, 16); length++)
      prefixes.add(token.slice(0, length));
  for (const prefix of prefixes) {
    let hash = mixedHash(hashOf(pieceKey(prefix)));
    for (let i = 0; i < layout.PREFIX_FILTER_HASHES; i++) {
      const bit = Number(hash >> (64n - layout.PREFIX_FILTER_BITS));
      image[layout.PREFIX_FILTER + (bit >> 3)] |= 1 << (bit & 7);
      hash = (hash * layout.HASH_LINE) & M64;
    }
  }
}

function putLengthMasks(image) {
  for (let length = 0; length < 16; length++)
    for (let i = 0; i < length; i++) image[layout.LENGTH_MASKS + 16 * length + i] = 0xff;
}

/**
 * Bytes before the end of a text whose tokens may change when more text comes: the longest chain of merges
 * of falling rank, from the end to the left. Each merge makes its left half uncertain if its right half is.
 */
function longestChainBytes(tokens, halves) {
  const chain = new Int32Array(tokens.length);
  let longest = 0;
  halves.forEach(([left, right], rank) => {
    const bytes = chain[right] + tokens[left].length;
    chain[left] = Math.max(chain[left], bytes);
    chain[rank] = Math.max(chain[rank], bytes);
    longest = Math.max(longest, bytes + tokens[right].length);
  });
  return longest;
}

/** Tokens that are found as whole pieces only: see assembly/whole-pieces.ts. */
function putWholePieces(image, wholePieces) {
  const mask = (1 << Number(layout.WHOLE_SLOT_BITS)) - 1;
  let at = layout.WHOLE_BYTES;
  for (const piece of wholePieces) {
    const bytes = Buffer.from(piece, 'latin1');
    const first = Buffer.alloc(8);
    bytes.copy(first);
    const last = bytes.length < 8 ? 0n : bytes.readBigUInt64LE(bytes.length - 8);
    const hash = mixedHash(
      (first.readBigUInt64LE() * layout.HASH_LOW + (last ^ BigInt(bytes.length)) * layout.HASH_HIGH) & M64,
    );
    const bit = Number(hash >> (64n - layout.WHOLE_FILTER_BITS));
    image[layout.WHOLE_FILTER + (bit >> 3)] |= 1 << (bit & 7);
    let slot = Number(hash & BigInt(mask));
    while (image.readUInt32LE(layout.WHOLE_SLOTS + 8 * slot) !== 0) slot = (slot + 1) & mask;
    image.writeUInt32LE(at, layout.WHOLE_SLOTS + 8 * slot);
    image.writeUInt32LE(bytes.length, layout.WHOLE_SLOTS + 8 * slot + 4);
    bytes.copy(image, at);
    at += bytes.length;
  }
}

/** Most tokens that can be found as whole pieces only, and most bytes of them: half of their slots stay free. */
export const MOST_WHOLE_PIECES = {
  count: 1 << (Number(layout.WHOLE_SLOT_BITS) - 1),
  bytes: layout.WHOLE_BYTES_CAPACITY,
};

/**
 * The image of a vocabulary for a pattern family, with the classes of all code points. `halves` are the tokens that merge
 * into each, by its rank; `wholePieces` tokens without a rank that pieces may be. Written into
 * `image`, if given, which must be zeros. Throws RangeError for what does not fit.
 */
export function makeImage(vocabulary, family, classes, image = Buffer.alloc(layout.TABLES_END)) {
  const { tokens, rankOf, halves, wholePieces = [] } = vocabulary;
  const chainBytes = longestChainBytes(tokens, halves);
  if (chainBytes > layout.CHAIN_BYTES)
    throw new RangeError(`a chain of ${chainBytes} bytes: see assembly/runs.ts`);
  putLengthMasks(image);
  putClasses(image, classes);
  putPairs(image, tokens, rankOf, halves);
  putVocabulary(image, tokens);
  putMemoSeed(image, tokens);
  putCharacters(image, tokens, rankOf, halves);
  putPrefixes(image, tokens);
  putJoins(image, tokens, halves);
  fillRowTables(image, family, { rankOf, halves });
  fillWordTables(image, family, { rankOf, halves });
  putWholePieces(image, wholePieces);
  return image;
}
