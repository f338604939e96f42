import type { TextRef } from '@preflight/core';

/** How much of each end of the content goes into the name. The rest may be megabytes, and this is no thread. */
const SAMPLED_BYTES = 4096;

/**
 * The name of a file that came without one (langroid-overflow §7). Eight hex digits of FNV-1a (32 bit) over the
 * length of its base64 as given and up to 4 KiB of either end, or of its URL if there is no content: the same
 * attachment has the same name, and so the same count, each time. It names the file and is no digest.
 */
export function derivedFilename(content: TextRef): string {
  return `attachment_${hashEnds(content).toString(16).padStart(8, '0')}.bin`;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function hashEnds(text: TextRef): number {
  const lengthBytes = typeof text === 'string' ? text.length : text.byteLength;
  const byteAt = byteReader(text);
  let hash = FNV_OFFSET;
  const add = (byte: number): void => {
    hash = Math.imul(hash ^ (byte & 0xff), FNV_PRIME);
  };
  for (let shift = 0; shift < 32; shift += 8) add(lengthBytes >>> shift);
  const headEnd = Math.min(lengthBytes, SAMPLED_BYTES);
  for (let i = 0; i < headEnd; i++) add(byteAt(i));
  for (let i = Math.max(headEnd, lengthBytes - SAMPLED_BYTES); i < lengthBytes; i++) add(byteAt(i));
  return hash >>> 0;
}

/** Base64 and URLs are ASCII, so that units of a string are its bytes. */
function byteReader(text: TextRef): (index: number) => number {
  if (typeof text === 'string') return (index) => text.charCodeAt(index);
  const bytes = text.bytes();
  return (index) => bytes[index] ?? 0;
}
