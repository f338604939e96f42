import type { JsonObject } from '@preflight/core';
import { audioType } from '../chat/media.js';
import { type MediaWords, word } from '../files/media-part.js';

/** What a part of Responses says of the file in it (formats.md §1). What comes by URL or id may be of any type. */
export function itemMediaWords(part: JsonObject): MediaWords | undefined {
  switch (part.type) {
    case 'input_image':
    case 'computer_screenshot':
      return { kind: 'image', ...word('detail', part.detail) };
    case 'input_file':
      return { ...(part.file_data === undefined && { kind: 'pdf' }), ...word('detail', part.detail) };
    case 'input_audio':
      return { kind: 'audio', ...audioType((part.input_audio as JsonObject | undefined)?.format) };
    default:
      return undefined;
  }
}
