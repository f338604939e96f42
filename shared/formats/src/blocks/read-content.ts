import {
  type Attachment,
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type Steps,
  type TextRef,
} from '@preflight/core';
import type { Approval, CallIds } from '../call-ids.js';
import { attachedPart } from '../files/media-part.js';
import type { IssueList } from '../issue-list.js';
import { STEP_ITEMS } from '../step-items.js';
import { valueAt } from '../value-at.js';
import type { BlockDialect, BlockKind } from './dialect.js';

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
  readonly decisions: readonly string[];
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
  readonly #decisions: string[] = [];
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
      decisions: this.#decisions,
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
    const { dialect, issues } = this;
    this.#attachments.push(
      attachedPart(block, dialect.filesOf(block), dialect.mediaOf(block), { pointer, issues }),
    );
  }

  #readApproval(approval: Approval | undefined): void {
    if (approval === undefined) return;
    if (!isAbsent(approval.callId)) this.callIds.askApproval(approval);
    else this.#decisions.push(this.callIds.ofApproval(approval.approvalId));
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
    else if (kind === 'none') this.#readApproval(dialect.approvalOf?.(block));
  }
}
