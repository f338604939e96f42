import type { MediaFacts } from '@preflight/core';
import type { MediaType } from '../media-types.js';
import { damaged, Unreadable } from '../unreadable.js';

/** No provider takes a longer side, and none of the formats but PNG has one. */
const MAX_SIDE_PX = 65_535;

/** An image of this size, turned as its orientation says. Throws `damaged` without pixels, `too_large`. */
export function imageFacts(
  mimeType: MediaType,
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  isTurned = false,
): MediaFacts {
  if (widthPx === 0 || heightPx === 0) throw damaged();
  if (widthPx > MAX_SIDE_PX || heightPx > MAX_SIDE_PX) throw new Unreadable('too_large');
  return isTurned
    ? { kind: 'image', widthPx: heightPx, heightPx: widthPx, mimeType }
    : { kind: 'image', widthPx, heightPx, mimeType };
}
