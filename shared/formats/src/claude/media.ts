import { isObject, type JsonObject } from '@preflight/core';
import { type MediaWords, texts, textsOfBlocks, word } from '../files/media-part.js';

/**
 * What a block of Anthropic's says of the file in it (formats.md §1). Title and context of a document are text; a document
 * of blocks, some of which are images, is more than one file.
 */
export function claudeMediaWords(block: JsonObject): MediaWords | undefined {
  const source = isObject(block.source) ? block.source : {};
  const type = word('mimeType', source.media_type);
  switch (block.type) {
    case 'image': {
      const { transformations } = block;
      const oversized = isObject(transformations) ? transformations.oversized_image : undefined;
      return { kind: 'image', ...type, ...word('detail', oversized) };
    }
    case 'document':
      return documentWords(block, source, type);
    case 'search_result': {
      const content = textsOfBlocks(block.content);
      return content && { kind: 'text', ...texts(block.title, block.source, ...content) };
    }
    default:
      return undefined;
  }
}

function documentWords(
  { title, context }: JsonObject,
  source: JsonObject,
  type: Pick<MediaWords, 'mimeType'>,
): MediaWords | undefined {
  switch (source.type) {
    case 'text':
      return { kind: 'text', ...type, ...texts(title, context, source.data) };
    case 'content': {
      const content = textsOfBlocks(source.content);
      return content && { kind: 'text', ...texts(title, context, ...content) };
    }
    case 'base64':
      return { ...type, ...texts(title, context) };
    default:
      return { kind: 'pdf', ...type, ...texts(title, context) };
  }
}
