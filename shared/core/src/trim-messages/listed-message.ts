import type { PartJson } from '../blob.js';
import type { Json } from '../json.js';
import type { TextRef } from '../text.js';
import type { MessageType } from './message-type.js';

/** A message as langchain-core sees it, whatever format it came in. */
export interface ListedMessage {
  readonly type: MessageType;
  /** As a provider takes it: `user`, `assistant`, `system`, `developer`, `tool`, `function`; else as it was written. */
  readonly role: string;
  /** The parts of array content; else one text, or none where there is no content. */
  readonly parts: readonly ListedPart[];
  readonly isArray: boolean;
  readonly name?: TextRef;
  readonly toolCalls?: readonly ListedCall[];
  /** Of a tool message: the call that it answers. */
  readonly toolCallId?: string;
}

export interface ListedPart {
  /** As it stands in the request. */
  readonly json: Json;
  /** As it says itself; `text` for a text alone. */
  readonly type: string;
  /** Of a text part. */
  readonly text?: TextRef;
  /** As it is meant, if that differs: with files in place of the digests that name them. */
  readonly meant?: PartJson;
}

export interface ListedCall {
  readonly id?: string;
  readonly name: TextRef;
  /** JSON as a text, as providers take it, or read already. */
  readonly args: Json;
}
