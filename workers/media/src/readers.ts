import { aac } from './audio/aac.js';
import { aiff } from './audio/aiff.js';
import { flac } from './audio/flac.js';
import { mp3 } from './audio/mp3.js';
import { wav } from './audio/wav.js';
import { ogg } from './containers/ogg.js';
import { gif } from './images/gif.js';
import { heif } from './images/heif.js';
import { jpeg } from './images/jpeg.js';
import { png } from './images/png.js';
import { webp } from './images/webp.js';
import type { MediaReader } from './media-reader.js';
import { pdf } from './pdf/pdf.js';
import { avi } from './video/avi.js';
import { matroska } from './video/matroska.js';
import { mp4 } from './video/mp4.js';

/** In the order in which a file is offered to them: those that know a file by many bytes before those that know it by few. */
export const READERS: readonly MediaReader[] = [
  png,
  jpeg,
  gif,
  webp,
  heif,
  wav,
  aiff,
  flac,
  ogg,
  matroska,
  avi,
  mp4,
  pdf,
  aac,
  mp3,
];
