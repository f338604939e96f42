import { isObject, type JsonObject, type MediaKind } from '@preflight/core';
import { type MediaWords, texts, textsOfBlocks, word } from './files/media-part.js';

/** Types of the formats that Converse names by a word (formats.md §1); those of images, sounds and films are `kind/word`. */
const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html',
  txt: 'text/plain',
  md: 'text/markdown',
};

/**
 * What a block of Converse says of the file in it. A document says `citations` for how closely it is looked at, since
 * Claude sees its pages with citations only, and else its text (accounting.md §4).
 */
export function converseMediaWords(block: JsonObject): MediaWords | undefined {
  for (const kind of ['image', 'video', 'audio'] as const) {
    const held = block[kind];
    if (isObject(held)) return { kind, ...typeOf(kind, held.format) };
  }
  const { document, searchResult } = block;
  if (isObject(document)) return documentWords(document);
  if (!isObject(searchResult)) return undefined;
  const content = textsOfBlocks(searchResult.content);
  return content && { kind: 'text', ...texts(searchResult.title, searchResult.source, ...content) };
}

function documentWords({ format, source, context, citations }: JsonObject): MediaWords | undefined {
  const isCited = isObject(citations) && citations.enabled === true;
  const words = {
    ...(typeof format === 'string' && Object.hasOwn(DOCUMENT_TYPES, format)
      ? { mimeType: DOCUMENT_TYPES[format] as string }
      : {}),
    ...word('detail', isCited ? 'citations' : undefined),
  };
  if (!isObject(source)) return { ...words, ...texts(context) };
  if (source.text !== undefined) return { ...words, kind: 'text', ...texts(context, source.text) };
  if (source.content === undefined) return { ...words, ...texts(context) };
  const content = textsOfBlocks(source.content);
  return content && { ...words, kind: 'text', ...texts(context, ...content) };
}

function typeOf(kind: MediaKind, format: unknown): Pick<MediaWords, 'mimeType'> {
  return typeof format === 'string' ? { mimeType: `${kind}/${format === 'mp3' ? 'mpeg' : format}` } : {};
}
