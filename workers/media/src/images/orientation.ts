import type { FileBytes } from '../file-bytes.js';
import { isLocal } from '../unreadable.js';

const ORIENTATION_TAG = 0x0112;
const ENTRY_BYTES = 12;
const SHORT = 3;

/**
 * Whether the Exif data at this place says that the image is displayed with its sides exchanged (orientation 5 to 8). Damaged
 * data says nothing, as viewers take it.
 */
export function isTurnedByExif(file: FileBytes, start: number): boolean {
  try {
    return orientationAt(file, start) >= 5;
  } catch (error) {
    if (isLocal(error)) return false;
    throw error;
  }
}

/** 1 to 8; 1 where there is none (Exif 2.32 §4.6.4). */
function orientationAt(file: FileBytes, start: number): number {
  const isLittleEndian = file.is(start, 'II*\0');
  if (!isLittleEndian && !file.is(start, 'MM\0*')) return 1;
  const u16 = (at: number) => (isLittleEndian ? file.u16le(at) : file.u16(at));
  const u32 = (at: number) => (isLittleEndian ? file.u32le(at) : file.u32(at));
  const directory = start + u32(start + 4);
  const entries = u16(directory);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * ENTRY_BYTES;
    if (u16(entry) !== ORIENTATION_TAG) continue;
    const value = u16(entry + 2) === SHORT ? u16(entry + 8) : 1;
    return value <= 8 ? value : 1;
  }
  return 1;
}
