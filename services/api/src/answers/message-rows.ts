import type { Ledger } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { Breakdown } from './breakdown.js';

/** One row for each message; others get their turn in between. */
export async function rowsOf<Row>(
  messages: readonly RoleOnly[],
  rowOf: (index: number) => Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  const turn = new Turn();
  for (let index = 0; index < messages.length; index++) {
    if (index % 1024 === 0) await turn.breathe();
    rows.push(rowOf(index));
  }
  return rows;
}

/** All that an answer says of a message beside numbers. */
export type RoleOnly = { readonly role: string };

/** Who speaks, and the tokens of the message, in columns. */
export function messageTokens(messages: readonly RoleOnly[], ledger: Ledger, index: number) {
  return {
    index,
    role: messages[index]?.role as string,
    content_tokens: ledger.contentTokens[index] as number,
    attachment_tokens: ledger.attachmentTokens[index] as number,
    other_tokens: ledger.otherTokens[index] as number,
  };
}

/** What those tokens are made of, where that is more than own text; messages have to be asked for in their order. */
export function kindsIn(breakdown: Breakdown, index: number) {
  const kinds = breakdown.ofMessage(index);
  return kinds && { kinds };
}
