import type { Json, JsonObject, Steps } from '@preflight/core';
import type { Entry, Part } from './entry.js';

/** What can be wrong with a request. Stable names; what a provider says of it stands in the rules of its format. */
export type RuleCode =
  | 'malformed'
  | 'missing_field'
  | 'model_of_another'
  | 'no_messages'
  | 'unknown_role'
  | 'ill_formed_string'
  | 'empty_content'
  | 'misplaced_media'
  | 'empty_attachment'
  | 'invalid_base64'
  | 'other_media_kind'
  | 'other_image_type'
  | 'misplaced_part'
  | 'result_without_call'
  | 'call_without_result'
  | 'reused_call_id'
  | 'results_split'
  | 'results_behind_text'
  | 'reasoning_alone'
  | 'unsigned_thinking'
  | 'prefill'
  | 'misplaced_system'
  | 'call_turn_order'
  | 'missing_signature'
  | 'starts_with_user'
  | 'document_alone'
  | 'roles_alternate'
  | 'too_many_media'
  | 'item_too_large'
  | 'body_too_large';

/** A rule of a provider, and where it is known from. */
export interface Rule {
  /** In the provider's terms. */
  readonly detail: string;
  /** A piece of the provider's own refusal, to look for in its message. */
  readonly match?: string;
  /** Documentation, types of a client, or a public thread. */
  readonly source: string;
  /** The month in which it was looked up. */
  readonly asOf: string;
  /** A matter of who stands between: what the provider takes and some gateways refuse, or the other way round. */
  readonly isAdvice?: boolean;
}

/** What a provider refuses of the requests in one format. */
export interface Legality {
  readonly provider: string;
  /** The field with the list of messages. */
  readonly list: string;
  readonly rules: Partial<Readonly<Record<RuleCode, Rule>>>;
  /** A message in parts; undefined if it is none. */
  read(message: JsonObject): Steps<Entry>;
  /** What to look for, message after message. */
  readonly scans: readonly Scan[];
}

/** A place that breaks a rule, and what would mend it; places are positions in the list that was looked at. */
export interface Finding {
  readonly code: RuleCode;
  /** The message; undefined for what is no message's. */
  readonly index?: number;
  /** Inside of the message, or of the request if it is no message's. */
  readonly path: readonly (string | number)[];
  readonly remedy?: Remedy;
  /** The place breaks the rule only after the remedies before it: no violation yet, but for a repair to see at once. */
  readonly isUncovered?: boolean;
  /** What the place asks for, where that says more than the rule. */
  readonly detail?: string;
}

/** The smallest change that ends a violation and invents nothing. */
export type Remedy =
  | { readonly op: 'leave_out'; readonly part: Part }
  | { readonly op: 'drop' }
  | { readonly op: 'empty_text'; readonly path: readonly (string | number)[] }
  | { readonly op: 'mend_strings' }
  | { readonly op: 'join_previous' }
  | { readonly op: 'swap_next' }
  | { readonly op: 'results_first' };

/** What a scan may look at besides the messages. */
export interface Scanned {
  readonly request: JsonObject;
  readonly messages: readonly Json[];
  /** As given beside the request, else in it; empty if nobody names one. */
  readonly model: string;
  /** Of the request as JSON. */
  readonly bytes: number;
  /** The conversation alone was given: fields beside it are still to come. */
  readonly isConversationAlone: boolean;
}

/** Looks for something in all messages, in one pass. */
export type Scan = (scanned: Scanned) => RunningScan;

/** What a scan finds: at once, or in steps where that is more than a filter over parts. */
export type Found = readonly Finding[] | Steps<readonly Finding[]>;

export interface RunningScan {
  /** It looks at each part alone, so that a message of very many may be shown in pieces. */
  readonly isOfParts?: boolean;
  see(entry: Entry, index: number): Found;
  end?(): Found;
}
