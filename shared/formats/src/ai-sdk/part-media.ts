import { isObject, type Json, type JsonObject, mediaKindOfType } from '@preflight/core';
import { type MediaWords, texts, word } from '../files/media-part.js';

/** What a part of the AI SDK says of the file in it (formats.md §1); providers' options say how closely it is looked at. */
export function partMediaWords(part: JsonObject): MediaWords {
  const { type, data, mediaType, mimeType, providerOptions } = part;
  const stated = mediaType ?? mimeType;
  const isImage = typeof type === 'string' && type.startsWith('image');
  const kind = isImage ? 'image' : typeof stated === 'string' ? mediaKindOfType(stated) : undefined;
  const words: MediaWords = {
    ...(kind && { kind }),
    ...word('mimeType', stated),
    ...word('detail', detailIn(providerOptions)),
  };
  // Since version 7 data may be a text.
  return isObject(data) && data.type === 'text' ? { ...words, kind: 'text', ...texts(data.text) } : words;
}

function detailIn(options: Json | undefined): Json | undefined {
  if (!isObject(options)) return undefined;
  const { openai, google } = options;
  if (isObject(openai) && openai.imageDetail !== undefined) return openai.imageDetail;
  return isObject(google) ? google.mediaResolution : undefined;
}
