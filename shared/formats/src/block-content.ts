import {
  type Attachment,
  type Cut,
  cutContent,
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type Steps,
  type TextRef,
} from '@preflight/core';
import { partWithBlobs } from './blob-references.js';
import type { CallIds } from './call-ids.js';
import { changedAt } from './changed.js';
import type { FileField } from './file-fields.js';
import type { IssueList } from './issue-list.js';
import { STEP_ITEMS } from './step-items.js';
import { type Path, valueAt } from './value-at.js';

/**
 * What a content block is to a count. `exchange` is a call that holds its result as soon as there is one; `none` are
 * markers, which nobody counts; `other` are blocks that we do not know.
 */
export type BlockKind = 'text' | 'thinking' | 'call' | 'result' | 'exchange' | 'media' | 'none' | 'other';

/**
 * In what the formats differ whose messages are lists of blocks, with calls and their results among them. A text block
 * has its text in `text` in all of them, and a result holds a list of blocks again.
 */
export interface BlockDialect {
  kindOf(block: JsonObject): BlockKind;
  /** A call, as Chat Completions has it. */
  callOf(block: JsonObject): JsonObject;
  callId(block: JsonObject): Json | undefined;
  resultId(block: JsonObject): Json | undefined;
  /** Whether a call is one that the provider answers itself: no pair that has to be kept by others. */
  isOfProvider?(block: JsonObject): boolean;
  /** Whether an exchange has its result. */
  isAnswered?(block: JsonObject): boolean;
  /** Where a result has its content; undefined if that is data, in which nothing is cut. */
  resultPath(block: JsonObject): Path | undefined;
  /** Such data. */
  resultData?(block: JsonObject): Json | undefined;
  /** What counts of a block of thinking. */
  thinkingOf(block: JsonObject): readonly (Json | undefined)[];
  /** Where a block of media may carry a file. */
  filesOf(block: JsonObject): readonly FileField[];
  /** A result that nothing was left of by a cut, as providers take it. */
  emptiedResult(block: JsonObject): JsonObject;
  /** Content, of messages and results, may be a string as well. */
  readonly isStringContent: boolean;
  /** A block may be a bare string, which is a text. */
  readonly isStringBlock?: boolean;
}

/** What counts in the content of a message. */
export interface BlockContent {
  /** Those of the message itself, then those in results: a cut takes from results first. */
  readonly texts: readonly TextRef[];
  readonly resultTextsFrom: number;
  readonly attachments: readonly Attachment[];
  readonly toolCalls: readonly JsonObject[];
  readonly otherParts: readonly Json[];
  readonly thinking: readonly TextRef[];
  readonly calls: readonly string[];
  readonly results: readonly string[];
  /** It has blocks, and all are of this kind. */
  readonly uniformKind: BlockKind | undefined;
}

/** Reads content, and notes what is wrong with it, of the message that is being read. */
export class BlockReader {
  readonly #texts: TextRef[] = [];
  readonly #resultTexts: TextRef[] = [];
  readonly #attachments: Attachment[] = [];
  readonly #toolCalls: JsonObject[] = [];
  readonly #otherParts: Json[] = [];
  readonly #thinking: TextRef[] = [];
  readonly #calls: string[] = [];
  readonly #results: string[] = [];
  readonly #kinds = new Set<BlockKind>();

  constructor(
    private readonly dialect: BlockDialect,
    private readonly issues: IssueList,
    private readonly callIds: CallIds,
  ) {}

  *read(content: Json | undefined, pointer = '/content'): Steps<BlockContent> {
    yield* this.#readList(content, pointer, false);
    return {
      texts: [...this.#texts, ...this.#resultTexts],
      resultTextsFrom: this.#texts.length,
      attachments: this.#attachments,
      toolCalls: this.#toolCalls,
      otherParts: this.#otherParts,
      thinking: this.#thinking,
      calls: this.#calls,
      results: this.#results,
      uniformKind: this.#kinds.size === 1 ? [...this.#kinds][0] : undefined,
    };
  }

  /** The blocks of a message, or those of a result in it, which holds no calls and results again. */
  *#readList(content: Json | undefined, pointer: string, isInResult: boolean): Steps<void> {
    const texts = isInResult ? this.#resultTexts : this.#texts;
    const { dialect, issues } = this;
    if (dialect.isStringContent && isText(content)) {
      texts.push(content);
      return;
    }
    if (!Array.isArray(content)) {
      const forms = dialect.isStringContent ? 'a string or an array' : 'an array';
      if (!isAbsent(content)) issues.add(pointer, `must be ${forms} of content blocks`);
      return;
    }
    for (let index = 0; index < content.length && !issues.isFull; index++) {
      if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
      const block = content[index];
      const place = `${pointer}/${index}`;
      if (dialect.isStringBlock && isText(block)) {
        texts.push(block);
        continue;
      }
      if (!isObject(block)) {
        issues.add(place, 'must be an object');
        continue;
      }
      const kind = dialect.kindOf(block);
      if (!isInResult) this.#kinds.add(kind);
      if (kind === 'text') {
        if (isText(block.text)) texts.push(block.text);
        else issues.add(`${place}/text`, 'must be a string');
      } else if (kind === 'media') this.#readMedia(block, place);
      else if (isInResult) this.#otherParts.push(block);
      else {
        this.#readOwn(block, kind);
        if (kind === 'result' || (kind === 'exchange' && dialect.isAnswered?.(block)))
          yield* this.#readResult(block, place);
      }
    }
  }

  *#readResult(block: JsonObject, place: string): Steps<void> {
    const { dialect } = this;
    const id = dialect.resultId(block);
    if (!this.callIds.isAside(id)) this.#results.push(this.callIds.ofResult(id));
    const path = dialect.resultPath(block);
    if (path !== undefined)
      return yield* this.#readList(valueAt(block, path), [place, ...path].join('/'), true);
    const data = dialect.resultData?.(block);
    if (!isAbsent(data)) this.#otherParts.push(data);
  }

  #readMedia(block: JsonObject, pointer: string): void {
    const part = partWithBlobs(block, this.dialect.filesOf(block), { pointer, issues: this.issues });
    this.#attachments.push({ kind: 'part', part });
  }

  /** What only messages hold. */
  #readOwn(block: JsonObject, kind: BlockKind): void {
    const { dialect } = this;
    if (kind === 'thinking') this.#thinking.push(...dialect.thinkingOf(block).filter(isText));
    else if (kind === 'call' || kind === 'exchange') {
      this.#toolCalls.push(dialect.callOf(block));
      const id = dialect.callId(block);
      if (dialect.isOfProvider?.(block)) this.callIds.setAside(id);
      else this.#calls.push(this.callIds.ofCall(id));
    } else if (kind === 'other') this.#otherParts.push(block);
  }
}

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

/** Content with `note` in the place of the first block of media, those in results among them, and without the others. */
export function noteBlocks(content: Json, note: JsonObject, dialect: BlockDialect): Json {
  const isMedia = (block: Json) => isObject(block) && dialect.kindOf(block) === 'media';
  const notes = [note];
  const noteIn = (blocks: readonly Json[]): Json[] =>
    blocks.flatMap((block) => {
      if (isMedia(block)) return notes.splice(0, 1);
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
