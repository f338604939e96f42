import { type ListedMessage, loneColumns } from '@preflight/core';
import type { LedgerPlan } from '../ledger-plan.js';

/** What the ledger of a list says beside tokens: messages stand alone, and nothing belongs to none of them. */
export function listLedger(
  messages: readonly ListedMessage[],
): Pick<
  LedgerPlan,
  | 'requestOverheadTokens'
  | 'kinds'
  | 'isUser'
  | 'units'
  | 'unitFaults'
  | 'roles'
  | 'protectedCount'
  | 'emptyAttachments'
> {
  const { units, unitFaults, roles } = loneColumns(messages.length);
  return {
    requestOverheadTokens: 0,
    kinds: new Int32Array(),
    isUser: Uint8Array.from(messages, ({ type }) => Number(type === 'human')),
    units,
    unitFaults,
    roles,
    protectedCount: 0,
    emptyAttachments: [],
  };
}
