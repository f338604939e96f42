import type { MediaReader } from '../media-reader.js';
import { damaged } from '../unreadable.js';
import { isTurnedByExif } from './orientation.js';
import { imageFacts } from './sides.js';

const MARKER = 0xff;
const APP1 = 0xe1;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** In the range of frames, but tables. */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);
/** A profile of megabytes takes a hundred or two. */
const MAX_SEGMENTS = 4096;

/** JPEG of any process: the first frame header has the size (ITU-T T.81, B.2). Scans are not looked at. */
export const jpeg: MediaReader = {
  kind: 'image',
  matches: (file) => file.is(0, '\xff\xd8\xff'),
  read: (file) => {
    let isTurned: boolean | undefined;
    let at = 2;
    for (let i = 0; i < MAX_SEGMENTS; i++) {
      if (file.u8(at) !== MARKER) throw damaged();
      // Any number of fill bytes may precede a marker.
      while (file.u8(at) === MARKER) at += 1;
      const marker = file.u8(at);
      at += 1;
      if (marker === START_OF_SCAN || marker === END_OF_IMAGE) throw damaged();
      if (isAlone(marker)) continue;
      const length = file.u16(at);
      if (length < 2) throw damaged();
      if (isFrame(marker)) {
        const sides = { heightPx: file.u16(at + 3), widthPx: file.u16(at + 5) };
        return imageFacts('image/jpeg', sides, isTurned);
      }
      if (marker === APP1 && isTurned === undefined && file.is(at + 2, 'Exif\0'))
        isTurned = isTurnedByExif(file, at + 8);
      at += length;
    }
    throw damaged();
  },
};

/** Without a length behind it. */
function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker);
}
