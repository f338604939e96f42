import { columnOfCopies, type Ledger, type LedgerBytes, type TextEstimate } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { PlannedCopy } from './attachments/planned-copies.js';
import type { PricedAttachment } from './attachments/price-attachments.js';

/** Columns of a ledger that a countable adds to. Plans hold positions in this list, so columns are only ever added at its end. */
export const LEDGER_COLUMNS = [
  'contentTokens',
  'attachmentTokens',
  'otherTokens',
  'requestOverheadTokens',
  'boundTokens',
  'idleTokens',
] as const;

/** Where the tokens of each countable go in the ledger of a conversation. Numbers only, so that it travels. */
export interface LedgerPlan {
  /** One entry a countable: its column, its message, and 1 to add, -1 to take off, or 0 for what is only to be told. */
  readonly columns: Uint8Array;
  readonly messages: Int32Array;
  readonly signs: Int8Array;
  /** Absent where counts are taken as they are. */
  readonly estimate?: TextEstimate | undefined;
  /** With `estimate`, one entry a countable: 0 for what is taken as it is counted, else a position in `TEXT_KINDS` plus 1. */
  readonly textKinds?: Uint8Array | undefined;
  /** What is there without counting; one entry a message, and nothing where a column is absent. */
  readonly contentTokens?: Int32Array | undefined;
  readonly attachmentTokens?: Int32Array | undefined;
  readonly otherTokens: Int32Array;
  readonly requestOverheadTokens: number;
  /**
   * What tokens are made of beside a message's own text, attachments and formatting, five numbers each: message or `OF_REQUEST`, position in
   * `TOKEN_KINDS`, tokens that are there without counting, and first and end of its countables.
   */
  readonly kinds: Int32Array;
  readonly isUser: Uint8Array;
  readonly units: Int32Array;
  readonly unitFaults: Uint8Array;
  readonly roles: Uint8Array;
  /** There where thinking may come to count again. */
  readonly questions?: Uint8Array | undefined;
  readonly protectedCount: number;
  readonly rolesAlternate?: boolean;
  readonly startsWithUser?: boolean;
  readonly endsWithUser?: boolean;
  /** Every attachment; absent where there are none. */
  readonly attachments?: readonly PricedAttachment[] | undefined;
  readonly bytes?: LedgerBytes | undefined;
  /** Attachments that stand more than once; absent where nobody asks, or there are none. */
  readonly copies?: readonly PlannedCopy[] | undefined;
  /** Messages with an attachment that has neither bytes nor a usable URL. */
  readonly emptyAttachments: readonly number[];
}

/** In place of a message, of what belongs to none. */
export const OF_REQUEST = -1;

/**
 * The same once the tokens of all countables are known: three numbers each, message or
 * `OF_REQUEST`, position in `TOKEN_KINDS`, tokens. In the order of messages, the request's at the end.
 */
export function kindsOf({ kinds, signs }: LedgerPlan, tokens: Int32Array): Int32Array {
  const sums: number[] = [];
  for (let at = 0; at < kinds.length; at += 5) {
    const [index, kind, constantTokens, first, end] = kinds.subarray(at, at + 5) as unknown as Five;
    let sum = constantTokens;
    for (let i = first; i < end; i++) sum += (signs[i] as number) * (tokens[i] as number);
    if (sum !== 0) sums.push(index, kind, sum);
  }
  return new Int32Array(sums);
}

type Five = [number, number, number, number, number];

/** The conversation's ledger once the tokens of all countables are known, in order. */
export async function ledgerOf(plan: LedgerPlan, tokens: Int32Array): Promise<Ledger> {
  const { columns, messages, signs, otherTokens, isUser, units, unitFaults, roles, protectedCount } = plan;
  let { requestOverheadTokens } = plan;
  const ledger = {
    contentTokens: plan.contentTokens?.slice() ?? new Int32Array(isUser.length),
    attachmentTokens: plan.attachmentTokens?.slice() ?? new Int32Array(isUser.length),
    otherTokens: otherTokens.slice(),
    boundTokens: new Int32Array(isUser.length),
    idleTokens: new Int32Array(plan.questions?.length ?? 0),
  };
  await new Turn().each(columns, (column, i) => {
    const signed = (signs[i] as number) * (tokens[i] as number);
    const name = LEDGER_COLUMNS[column] as (typeof LEDGER_COLUMNS)[number];
    const index = messages[i] as number;
    if (name === 'requestOverheadTokens') requestOverheadTokens += signed;
    else ledger[name][index] = (ledger[name][index] as number) + signed;
    if (name === 'boundTokens') ledger.otherTokens[index] = (ledger.otherTokens[index] as number) + signed;
  });
  const { idleTokens, ...always } = ledger;
  return {
    ...always,
    ...(plan.questions && { idleTokens, questions: plan.questions }),
    ...{ isUser, units, unitFaults, roles, protectedCount, requestOverheadTokens },
    ...(plan.rolesAlternate && { rolesAlternate: true }),
    ...(plan.startsWithUser && { startsWithUser: true }),
    ...(plan.endsWithUser && { endsWithUser: true }),
    ...(plan.bytes && { bytes: plan.bytes }),
    ...(plan.copies && { copies: copiesOf(plan.copies, tokens) }),
  };
}

function copiesOf(copies: readonly PlannedCopy[], tokens: Int32Array): Int32Array {
  return columnOfCopies(
    copies.map((copy) => ({
      ...copy,
      tokens: typeof copy.tokens === 'number' ? copy.tokens : (tokens[copy.tokens.countable] as number),
    })),
  );
}
