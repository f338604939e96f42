import { gif } from './images/gif.js';
import { heif } from './images/heif.js';
import { jpeg } from './images/jpeg.js';
import { png } from './images/png.js';
import { webp } from './images/webp.js';
import type { MediaReader } from './media-reader.js';

/** In the order in which a file is offered to them: those that know a file by many bytes before those that know it by few. */
export const READERS: readonly MediaReader[] = [png, jpeg, gif, webp, heif];
