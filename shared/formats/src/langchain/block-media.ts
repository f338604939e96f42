import { isObject, type JsonObject, type MediaKind } from '@preflight/core';
import { chatMediaWords } from '../chat/media.js';
import { claudeMediaWords } from '../claude/media.js';
import { type MediaWords, texts, word } from '../files/media-part.js';
import { itemMediaWords } from '../openai-responses/item-media.js';

const KINDS: ReadonlyMap<unknown, MediaKind> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['text-plain', 'text'],
]);

/** What a block of LangChain says of the file in it: in its own words, or in those of a provider (formats.md §1). */
export function blockMediaWords(block: JsonObject): MediaWords | undefined {
  const { type, source } = block;
  if (isObject(source) && (type === 'image' || type === 'document')) return claudeMediaWords(block);
  if (typeof type === 'string' && isObject(block[type])) return chatMediaWords(block);
  if (type === 'image_url') return { kind: 'image' };
  if (type === 'input_image' || type === 'input_file') return itemMediaWords(block);
  const kind = KINDS.get(type);
  return {
    ...(kind && { kind }),
    ...word('mimeType', block.mimeType ?? block.mime_type),
    ...word('detail', isObject(block.metadata) ? block.metadata.detail : undefined),
    ...texts(block.text),
  };
}
