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
  /** Those of `otherTokens` that go once anything before them has changed (`boundTexts` of a message). */
  readonly boundTokens: Int32Array;
  /** 1 where a turn begins: at user messages, but never inside a unit, and not at one that holds only results. */
  readonly isUser: Uint8Array;
  /** The first message of the unit that each message belongs to (`unitsOf`): units stay or go whole. */
  readonly units: Int32Array;
  /** What is wrong with calls and results: 0, or a position in `UNIT_FAULTS` plus 1. */
  readonly unitFaults: Uint8Array;
  /** What each message is, as far as rules ask: a position in `LEDGER_ROLES` plus 1, or 0. */
  readonly roles: Uint8Array;
  /** As of the conversation: what is left keeps turns, begins with the user, and does not end with the assistant. */
  readonly rolesAlternate?: boolean;
  readonly startsWithUser?: boolean;
  readonly endsWithUser?: boolean;
  /** How many leading messages are never touched. */
  readonly protectedCount: number;
  /** Tokens of each message that count once no question is left behind it (`idleTexts`); absent where none do, or none can. */
  readonly idleTokens?: Int32Array | undefined;
  /** With `idleTokens`, 1 for each question: what the user says, and not with results. */
  readonly questions?: Uint8Array | undefined;
  /** What belongs to no message: tool schemas, reply priming. */
  readonly requestOverheadTokens: number;
  /** Attachments that stand more than once (`copiesIn`), where somebody asks. */
  readonly copies?: Int32Array | undefined;
  /** What the request has in bytes, if it has a budget of them. */
  readonly bytes?: LedgerBytes | undefined;
}

/**
 * UTF-8 bytes of the request as compact JSON, which is how clients send it: of each message, with the comma behind it,
 * what goes with its content, with its attachments, and all else.
 */
export interface LedgerBytes {
  /** What a cut takes that leaves an empty text: texts, and all but the first of the parts that they stand in. */
  readonly content: Float64Array;
  /** Of those, what stands around texts and goes only with them. */
  readonly frames: Float64Array;
  /** What a note in their place takes, but for its own text; 0 where none can stand. */
  readonly attachments: Float64Array;
  readonly other: Float64Array;
  /** Those of `other` that go once anything before them has changed. */
  readonly bound: Float64Array;
  /** What belongs to no message. */
  readonly requestOverhead: number;
  /** What comes to that once a message has changed that is not behind message `upTo`. */
  readonly onChange?: { readonly upTo: number; readonly bytes: number } | undefined;
}

/** Roles that rules can ask for. Ledgers hold positions in this list. */
export const LEDGER_ROLES = ['system', 'user', 'assistant', 'tool', 'function'] as const;

export type LedgerRole = (typeof LEDGER_ROLES)[number];

type LoneColumns = Pick<Ledger, 'boundTokens' | 'units' | 'unitFaults' | 'roles'>;

/** The columns of messages that stand alone: of no role, each a unit of its own, and nothing bound to what is before it. */
export function loneColumns(length: number): LoneColumns {
  return {
    boundTokens: new Int32Array(length),
    units: Int32Array.from({ length }, (_, index) => index),
    unitFaults: new Uint8Array(length),
    roles: new Uint8Array(length),
  };
}

/** The role of a message, if it is one that rules ask for. */
export function roleAt({ roles }: Ledger, index: number): LedgerRole | undefined {
  return LEDGER_ROLES[(roles[index] ?? 0) - 1];
}

/** Whether a message has one of these roles. */
export function hasRole(ledger: Ledger, index: number, wanted: readonly LedgerRole[]): boolean {
  const role = roleAt(ledger, index);
  return role !== undefined && wanted.includes(role);
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

/** Bytes of the whole request as it came. */
export function bytesIn({ content, attachments, other, requestOverhead }: LedgerBytes): number {
  let bytes = requestOverhead;
  for (const column of [content, attachments, other]) for (const amount of column) bytes += amount;
  return bytes;
}
