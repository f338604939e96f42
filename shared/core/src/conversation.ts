import type { BlobText, PartJson } from './blob.js';
import type { Edit } from './edits.js';
import type { Json, JsonObject } from './json.js';
import type { MediaPart } from './media.js';
import type { TextRef } from './text.js';

/** What a format makes of a provider's request: the parts that count, in one shape for all formats. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** How many leading messages are never touched: system and developer messages, or index 0 in Langroid's format. */
  readonly protectedCount: number;
  /** Tool schemas as the provider got them (`tools`, or the legacy `functions`), unread. */
  readonly tools: readonly Json[];
  /** `tool_choice` or the legacy `function_call` of the request, if given. */
  readonly toolChoice?: Json;
  /** Instructions in a field of their own (`system`, `instructions`): always kept, part of the request's overhead. */
  readonly instructions?: readonly TextRef[];
  /** A message in front of all others that is no entry of the request's list: part of its overhead, and always kept. */
  readonly front?: Message;
  /** Schemas that go along besides tools, such as that of a structured answer. */
  readonly schemas?: readonly Json[];
  /**
   * The provider wants messages of user and assistant by turns, and results directly behind their calls: nothing may be
   * left out where that would end, or where an answer would come first that did not.
   */
  readonly rolesAlternate?: boolean;
  /** It takes no request that begins with the assistant, not even one that came so. */
  readonly startsWithUser?: boolean;
  /** It takes results behind their calls with nothing but other results in between. */
  readonly resultsFollowCalls?: boolean;
  /** It takes calls directly behind the user or a result alone. */
  readonly callsFollowUser?: boolean;
  /** In the turn under way it takes no call without its signature. */
  readonly callsAreSigned?: boolean;
  /** It does not go on with an answer that was begun: the last message is not the assistant's. */
  readonly endsWithUser?: boolean;
  /** Something before all messages has changed already, so that what is bound to its prefix is neither counted nor kept. */
  readonly isPrefixChanged?: boolean;
  /** What has to be set besides, once a message has changed that is not behind message `upTo`. */
  readonly onChange?: { readonly upTo: number; readonly edit: Edit };
}

export interface Message {
  /** `system`, `developer`, `user`, `assistant`, `tool` or `function`; what the provider wrote where none of them is meant. */
  readonly role: string;
  /** Content in order: one text for string content, one for each text part of an array, none for null. */
  readonly texts: readonly TextRef[];
  /** What counts as attachments; only user messages have any (langroid-overflow §7). */
  readonly attachments: readonly Attachment[];
  /** No note can stand in their place: they stand where the provider takes no text. */
  readonly keepsAttachments?: boolean;
  readonly name?: TextRef;
  /** `tool_calls` and the legacy `function_call` of an assistant message, unread. */
  readonly toolCalls?: readonly Json[];
  readonly functionCall?: Json;
  /** What the model thought before it wrote. */
  readonly reasoning?: readonly TextRef[];
  /** Text beside the content that is sent as well, such as an assistant's `refusal`. */
  readonly otherTexts?: readonly TextRef[];
  /** Parts of the content that are of no kind we know, counted as the text that they travel as. */
  readonly otherParts?: readonly Json[];
  /**
   * Reasoning that has to go once anything before it has changed: signed thinking of models that bind it to its prefix.
   * None of it is in `reasoning`.
   */
  readonly boundTexts?: readonly TextRef[];
  /** Reasoning that the provider leaves out as long as the user has asked something behind it. None of it is in `reasoning`. */
  readonly idleTexts?: readonly TextRef[];
  /** Calls that it makes, and calls that it answers, by id; formats make some up where the provider needs none (`CallIds`). */
  readonly calls?: readonly string[];
  readonly results?: readonly string[];
  /** The call that is to be signed is not. */
  readonly hasUnsignedCall?: boolean;
  /** Calls, by id, that the user has decided on: their results are made next, or never. */
  readonly decisions?: readonly string[];
  /** The first of `texts` that stands in a result, the others being its own. By default all do, or none if a turn begins with it. */
  readonly resultTextsFrom?: number;
  /** Whether a turn begins with it; by default if its role is `user`. False for a user message of nothing but results. */
  readonly startsTurn?: boolean;
  /** It must stand directly before the next message: reasoning before what follows from it. */
  readonly isBoundToNext?: boolean;
}

/** A content part that goes over the wire as it is, or a file that Langroid serializes by its own rule. */
export type Attachment = { /** The file in it, if there is one. */ readonly media?: MediaPart } & (
  | {
      readonly kind: 'part';
      readonly part: PartJson;
      /** The part as it stands in the provider's request, where that is another because its file came apart. */
      readonly given?: JsonObject;
    }
  | {
      readonly kind: 'file';
      readonly file: AttachedFile;
      /** Where it stands in the provider's request, as a JSON pointer. */
      readonly pointer: string;
    }
);

/** Langroid's `files`, field by field. */
export interface AttachedFile {
  readonly contentBase64?: TextRef | BlobText;
  readonly filename?: string;
  readonly mimeType?: string;
  readonly url?: TextRef;
  readonly detail?: string;
}
