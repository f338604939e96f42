import type { MediaFacts } from '@preflight/core';
import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import { damaged } from '../unreadable.js';
import { isTurnedByExif } from './orientation.js';
import { imageFacts } from './sides.js';

const FIRST_CHUNK_AT = 12;
const DATA_AT = FIRST_CHUNK_AT + 8;
const HAS_EXIF = 0x08;
/** An animation has one a frame, with the Exif data behind them. */
const MAX_CHUNKS = 1024;

/** WebP: lossy, lossless or extended, animated ones too (RFC 9649 §2). */
export const webp: MediaReader = {
  kind: 'image',
  matches: (file) => file.is(0, 'RIFF') && file.is(8, 'WEBP'),
  read: (file) => {
    switch (file.ascii(FIRST_CHUNK_AT, 4)) {
      case 'VP8 ':
        return readLossy(file);
      case 'VP8L':
        return readLossless(file);
      case 'VP8X':
        return readExtended(file);
      default:
        throw damaged();
    }
  },
};

/** Behind the tag of a key frame, with 2 bits of scale beside each side (RFC 6386 §9.1). */
function readLossy(file: FileBytes): MediaFacts {
  if (!file.is(DATA_AT + 3, '\x9d\x01\x2a')) throw damaged();
  const side = (at: number) => file.u16le(at) & 0x3fff;
  return imageFacts('image/webp', { widthPx: side(DATA_AT + 6), heightPx: side(DATA_AT + 8) });
}

/** Behind the signature, each side less one in 14 bits. */
function readLossless(file: FileBytes): MediaFacts {
  if (!file.is(DATA_AT, '\x2f')) throw damaged();
  const bits = file.u32le(DATA_AT + 1);
  return imageFacts('image/webp', { widthPx: (bits & 0x3fff) + 1, heightPx: ((bits >>> 14) & 0x3fff) + 1 });
}

/** The canvas, each side less one in 24 bits. */
function readExtended(file: FileBytes): MediaFacts {
  const sides = { widthPx: file.u24le(DATA_AT + 4) + 1, heightPx: file.u24le(DATA_AT + 7) + 1 };
  const hasExif = (file.u8(DATA_AT) & HAS_EXIF) !== 0;
  return imageFacts('image/webp', sides, hasExif && isTurned(file));
}

function isTurned(file: FileBytes): boolean {
  let at = FIRST_CHUNK_AT;
  for (let i = 0; i < MAX_CHUNKS && file.has(at + 8); i++) {
    if (file.is(at, 'EXIF')) {
      // Some writers put the header of a JPEG segment before it.
      const start = file.is(at + 8, 'Exif\0\0') ? at + 14 : at + 8;
      return isTurnedByExif(file, start);
    }
    const length = file.u32le(at + 4);
    at += 8 + length + (length % 2);
  }
  return false;
}
