// Tokens that no merge leads to: a piece that is one of them is one token, and nowhere else are they found.

import { LENGTH_MASKS, WHOLE_BYTES, WHOLE_FILTER, WHOLE_FILTER_BITS, WHOLE_SLOT_BITS, WHOLE_SLOTS } from "./layout";
import { hashOf, mixedHash } from "./vocabulary";

/** Whether the piece is such a token; of almost all others the filter says so. */
export function isWholePiece(at: usize, length: usize): bool {
  const first = load<u64>(at) & load<u64>(LENGTH_MASKS + (min(length, 8) << 4));
  const last: u64 = length < 8 ? 0 : load<u64>(at + length - 8);
  const hash = mixedHash(hashOf(first, last ^ (length as u64)));
  const bit = (hash >> (64 - WHOLE_FILTER_BITS)) as usize;
  if (((load<u8>(WHOLE_FILTER + (bit >> 3)) >> ((bit & 7) as u8)) & 1) == 0) return false;
  const mask: usize = ((1 as usize) << (WHOLE_SLOT_BITS as usize)) - 1;
  let slot = (hash as usize) & mask;
  while (true) {
    const entry = WHOLE_SLOTS + (slot << 3);
    const bytes = load<u32>(entry) as usize;
    if (bytes == 0) return false;
    if ((load<u32>(entry, 4) as usize) == length && memory.compare(bytes, at, length) == 0) return true;
    slot = (slot + 1) & mask;
  }
}
