import {
  type Cut,
  cutContent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type Steps,
  type TextRef,
} from '@preflight/core';
import type { NoteAt } from '../attachment-notes.js';
import { changedAt } from '../changed.js';
import { STEP_ITEMS } from '../step-items.js';
import { valueAt } from '../value-at.js';
import type { BlockDialect } from './dialect.js';

/**
 * Content after a cut, in the form it had. Texts before the cut stay whole, the cut one carries the marker, later ones
 * go, those in results among them; everything that is no text stays where it is.
 */
export function* cutBlocks(
  content: Json | undefined,
  {
    texts,
    cut,
    dialect,
  }: { readonly texts: readonly TextRef[]; readonly cut: Cut; readonly dialect: BlockDialect },
): Steps<Json> {
  const kept = yield* cutContent(texts, cut);
  if (!Array.isArray(content)) return kept[0] ?? '';
  const isTextBlock = (block: Json) =>
    isObject(block) ? dialect.kindOf(block) === 'text' : dialect.isStringBlock === true && isText(block);
  const own = new KeptTexts(kept, 0);
  const inResults = new KeptTexts(kept, content.filter(isTextBlock).length);
  const blocks: Json[] = [];
  for (const [index, block] of content.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    if (isTextBlock(block)) blocks.push(...own.inBlock(block));
    else
      blocks.push(
        isObject(block)
          ? cutResult(block, dialect, (inner) => inResults.inContent(inner, isTextBlock))
          : block,
      );
  }
  return blocks;
}

/** Content with notes in the place of blocks of media, those in results among them; `blockOf` makes a block of a text. */
export function noteBlocks(
  content: Json,
  noteAt: NoteAt,
  dialect: BlockDialect,
  blockOf: (text: string) => JsonObject,
): Json {
  const isMedia = (block: Json) => isObject(block) && dialect.kindOf(block) === 'media';
  let position = 0;
  const noteIn = (blocks: readonly Json[]): Json[] =>
    blocks.flatMap((block) => {
      if (isMedia(block)) {
        const note = noteAt(position++);
        if (note === undefined) return [block];
        return note === null ? [] : [blockOf(note)];
      }
      if (!isObject(block)) return [block];
      return [
        cutResult(block, dialect, (inner) =>
          Array.isArray(inner) && inner.some(isMedia) ? noteIn(inner) : inner,
        ),
      ];
    });
  return Array.isArray(content) ? noteIn(content) : content;
}

/** A block with what a cut leaves of the texts in it, if it is a result. */
function cutResult(block: JsonObject, dialect: BlockDialect, cutInner: (content: Json) => Json): Json {
  const kind = dialect.kindOf(block);
  const isResult = kind === 'result' || (kind === 'exchange' && dialect.isAnswered?.(block));
  const path = isResult ? dialect.resultPath(block) : undefined;
  if (path === undefined) return block;
  const changed = changedAt<Json>(block, path, cutInner) as JsonObject;
  return changed !== block && isEmpty(valueAt(changed, path)) ? dialect.emptiedResult(changed) : changed;
}

/** The texts that a cut leaves, in place of those that were there, one after the other. */
class KeptTexts {
  constructor(
    private readonly texts: readonly TextRef[],
    private next: number,
  ) {}

  inContent(content: Json, isTextBlock: (block: Json) => boolean): Json {
    if (isText(content)) return this.texts[this.next++] ?? '';
    if (!Array.isArray(content)) return content;
    return content.flatMap((block) => (isTextBlock(block) ? this.inBlock(block) : [block]));
  }

  /** What is left of a text block, or of a bare text. */
  inBlock(block: Json): Json[] {
    const text = this.texts[this.next++];
    if (text === undefined) return [];
    if (!isObject(block)) return [text];
    return [text === block.text ? block : { ...block, text }];
  }
}

function isEmpty(content: Json | undefined): boolean {
  return content === '' || (Array.isArray(content) && content.length === 0);
}

/** Content without its thinking. */
export function withoutThinking(content: Json | undefined, dialect: BlockDialect): Json {
  if (!Array.isArray(content)) return content ?? null;
  return content.filter((block) => !isObject(block) || dialect.kindOf(block) !== 'thinking');
}
