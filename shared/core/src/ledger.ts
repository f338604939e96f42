/**
 * Tokens per message, as columns: entry i is input message i. Columns, because a conversation may have 100,000
 * messages and its ledger travels to a thread when texts must be cut.
 */
export interface Ledger {
  /** Tokens of the message's text, all text parts together. */
  readonly contentTokens: Int32Array;
  readonly attachmentTokens: Int32Array;
  /** Role, name, tool calls and per-message overhead; all 0 with `count: "content"`. */
  readonly otherTokens: Int32Array;
  /** 1 where the message's role is user. */
  readonly isUser: Uint8Array;
  /** How many leading messages are never touched. */
  readonly protectedCount: number;
  /** What belongs to no message: tool schemas, reply priming. */
  readonly requestOverheadTokens: number;
}

/** All tokens of one message. */
export function messageTokens(ledger: Ledger, index: number): number {
  const { contentTokens, attachmentTokens, otherTokens } = ledger;
  return (contentTokens[index] ?? 0) + (attachmentTokens[index] ?? 0) + (otherTokens[index] ?? 0);
}

/** Tokens of all messages and of the request around them (`H`, langroid-overflow §1). */
export function historyTokens(ledger: Ledger): number {
  let tokens = ledger.requestOverheadTokens;
  for (let index = 0; index < ledger.isUser.length; index++) tokens += messageTokens(ledger, index);
  return tokens;
}
