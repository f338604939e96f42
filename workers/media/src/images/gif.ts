import type { MediaReader } from '../media-reader.js';
import { imageFacts } from './sides.js';

/** GIF, animated ones too: the size of the screen on which frames are drawn (GIF89a §18). */
export const gif: MediaReader = {
  kind: 'image',
  matches: (file) => file.is(0, 'GIF87a') || file.is(0, 'GIF89a'),
  read: (file) => imageFacts('image/gif', { widthPx: file.u16le(6), heightPx: file.u16le(8) }),
};
