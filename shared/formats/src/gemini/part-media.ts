import { isObject, type JsonObject, mediaKindOfType } from '@preflight/core';
import { type MediaWords, word } from '../files/media-part.js';
import { spelledField } from './spelling.js';

/**
 * What a part of Gemini's says of the file in it (formats.md §1). How closely it is looked at is said by the part, or else
 * by the request (`resolution`).
 */
export function partMediaWords(part: JsonObject, resolution: string | undefined): MediaWords {
  const inline = spelledField(part, 'inlineData');
  const held = isObject(inline) ? inline : spelledField(part, 'fileData');
  const mimeType = isObject(held) ? spelledField(held, 'mimeType') : undefined;
  const kind = typeof mimeType === 'string' ? mediaKindOfType(mimeType) : undefined;
  const own = spelledField(part, 'mediaResolution');
  return {
    ...(kind && { kind }),
    ...word('mimeType', mimeType),
    ...word('detail', (isObject(own) ? own.level : own) ?? resolution),
  };
}
