import type { Ledger } from '@preflight/core';
import { Turn } from '@preflight/runtime';

/** Columns of a ledger that a countable adds to. Plans hold positions in this list, so columns are only ever added at its end. */
export const LEDGER_COLUMNS = [
  'contentTokens',
  'attachmentTokens',
  'otherTokens',
  'requestOverheadTokens',
  'boundTokens',
] as const;

/** Where the tokens of each countable go in the ledger of a conversation. Numbers only, so that it travels. */
export interface LedgerPlan {
  /** One entry a countable: its column, its message, and 1 to add or -1 to take off. */
  readonly columns: Uint8Array;
  readonly messages: Int32Array;
  readonly signs: Int8Array;
  /** What is there without counting; one entry a message, and nothing where a column is absent. */
  readonly contentTokens?: Int32Array | undefined;
  readonly attachmentTokens?: Int32Array | undefined;
  readonly otherTokens: Int32Array;
  readonly requestOverheadTokens: number;
  readonly isUser: Uint8Array;
  readonly units: Int32Array;
  readonly unitFaults: Uint8Array;
  readonly protectedCount: number;
  /** Messages with an attachment that has neither bytes nor a usable URL. */
  readonly emptyAttachments: readonly number[];
}

/** The conversation's ledger once the tokens of all countables are known, in order. */
export async function ledgerOf(plan: LedgerPlan, tokens: Int32Array): Promise<Ledger> {
  const { columns, messages, signs, otherTokens, isUser, units, unitFaults, protectedCount } = plan;
  let { requestOverheadTokens } = plan;
  const ledger = {
    contentTokens: plan.contentTokens?.slice() ?? new Int32Array(isUser.length),
    attachmentTokens: plan.attachmentTokens?.slice() ?? new Int32Array(isUser.length),
    otherTokens: otherTokens.slice(),
    boundTokens: new Int32Array(isUser.length),
  };
  const turn = new Turn();
  for (let i = 0; i < columns.length; i++) {
    if (i % 1024 === 0) await turn.breathe();
    const signed = (signs[i] as number) * (tokens[i] as number);
    const name = LEDGER_COLUMNS[columns[i] as number] as (typeof LEDGER_COLUMNS)[number];
    const index = messages[i] as number;
    if (name === 'requestOverheadTokens') requestOverheadTokens += signed;
    else ledger[name][index] = (ledger[name][index] as number) + signed;
    if (name === 'boundTokens') ledger.otherTokens[index] = (ledger.otherTokens[index] as number) + signed;
  }
  return { ...ledger, isUser, units, unitFaults, protectedCount, requestOverheadTokens };
}
