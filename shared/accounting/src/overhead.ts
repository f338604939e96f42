import type { Countable } from '@preflight/core';

/** What tokens are made of that are not a message's own text or attachments, as answers name it. */
export const TOKEN_KINDS = [
  /** Role, and what a family of models puts around a message or a reply. */
  'formatting',
  'name',
  /** Names and arguments of calls. */
  'tool_calls',
  'reasoning',
  /** Refusals, and parts of kinds that we do not know. */
  'other',
  /** Text in results of calls: part of the content of messages, all others being overhead. */
  'tool_results',
  /** Instructions that stand beside the messages. */
  'instructions',
  /** Schemas of tools, the choice among them, and what comes with them. */
  'tools',
  /** Other schemas, such as that of a structured answer. */
  'schemas',
] as const;

export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Tokens as a sum: of constants, plus the counts of `countables`, minus the counts of `subtracted`. */
export interface Tally {
  readonly countables: readonly Countable[];
  /** Counted elsewhere in a form that is not sent (the declaration rule pads a system message). Mostly empty. */
  readonly subtracted: readonly Countable[];
  readonly constantTokens: number;
}

/** Tokens of one kind. */
export interface Overhead extends Tally {
  readonly kind: TokenKind;
}
