import type { MediaReader } from '../media-reader.js';
import { damaged } from '../unreadable.js';
import { isTurnedByExif } from './orientation.js';
import { imageFacts } from './sides.js';

const SIGNATURE = '\x89PNG\r\n\x1a\n';
const HEADER_AT = 8;
/** Length, name and check sum. */
const CHUNK_FRAME_BYTES = 12;
/** Chunks before the pixels; sound files have ten. */
const MAX_CHUNKS = 64;

/** PNG, animated ones too: the header chunk comes first (PNG third edition, §5 and §11.2.1). */
export const png: MediaReader = {
  kind: 'image',
  matches: (file) => file.is(0, SIGNATURE),
  read: (file) => {
    if (!file.is(HEADER_AT + 4, 'IHDR')) throw damaged();
    const sides = { widthPx: file.u32(HEADER_AT + 8), heightPx: file.u32(HEADER_AT + 12) };
    return imageFacts('image/png', sides, isTurned());

    /** Exif data is looked for before the pixels, which may be megabytes of small chunks. */
    function isTurned(): boolean {
      let at = HEADER_AT;
      for (let i = 0; i < MAX_CHUNKS && file.has(at + 8); i++) {
        if (file.is(at + 4, 'IDAT')) return false;
        if (file.is(at + 4, 'eXIf')) return isTurnedByExif(file, at + 8);
        at += CHUNK_FRAME_BYTES + file.u32(at);
      }
      return false;
    }
  },
};
