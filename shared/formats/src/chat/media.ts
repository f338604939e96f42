import { isObject, type Json, type JsonObject } from '@preflight/core';
import { type MediaWords, word } from '../files/media-part.js';

/**
 * What a part of Chat Completions says of the file in it (formats.md §1). A `file` says what it is in its data URI, and is
 * a PDF where only the provider has it, since it takes no other.
 */
export function chatMediaWords(part: JsonObject): MediaWords | undefined {
  switch (part.type) {
    case 'image_url':
      return { kind: 'image', ...word('detail', inner(part.image_url).detail) };
    case 'file':
      return inner(part.file).file_data === undefined ? { kind: 'pdf' } : {};
    case 'input_audio':
      return { kind: 'audio', ...audioType(inner(part.input_audio).format) };
    // Gateways in front of other providers have these.
    case 'video_url':
      return { kind: 'video' };
    case 'audio_url':
      return { kind: 'audio' };
    default:
      return undefined;
  }
}

/** The type of a sound whose format is named by a word such as `mp3`. */
export function audioType(format: unknown): Pick<MediaWords, 'mimeType'> {
  return typeof format === 'string' ? { mimeType: `audio/${format === 'mp3' ? 'mpeg' : format}` } : {};
}

function inner(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
