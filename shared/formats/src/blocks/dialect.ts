import type { Json, JsonObject } from '@preflight/core';
import type { Approval } from '../call-ids.js';
import type { FileField } from '../files/file-fields.js';
import type { MediaWords } from '../files/media-part.js';
import type { Path } from '../value-at.js';

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
  /** What asks the user to approve a call, or says what the user decided, which names no call. */
  approvalOf?(block: JsonObject): Approval | undefined;
  /** Where a block of media may carry a file. */
  filesOf(block: JsonObject): readonly FileField[];
  /** What such a block says of the file in it; undefined if there is none, or more than one. */
  mediaOf(block: JsonObject): MediaWords | undefined;
  /** A result that nothing was left of by a cut, as providers take it. */
  emptiedResult(block: JsonObject): JsonObject;
  /** Content, of messages and results, may be a string as well. */
  readonly isStringContent: boolean;
  /** A block may be a bare string, which is a text. */
  readonly isStringBlock?: boolean;
}
