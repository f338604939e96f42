import type { LedgerBytes } from '@preflight/core';
import { type Packed, packColumns, unpackFloat64 } from './columns.js';

/** A ledger, or what will be one, as it travels. */
export type PackedLedger<Ledger> = Packed<Omit<Ledger, 'bytes'>> & {
  readonly bytes?: Packed<LedgerBytes> | undefined;
};

/** A ledger, or a plan of one, as it travels. */
export function packLedger<Ledger extends { readonly bytes?: LedgerBytes | undefined }>({
  bytes,
  ...ledger
}: Ledger): PackedLedger<Ledger> {
  return { ...packColumns(ledger), ...(bytes && { bytes: packColumns(bytes) }) };
}

/** What it has in bytes, to be laid over the rest. */
export function unpackBytes(bytes: Packed<LedgerBytes> | undefined): { readonly bytes?: LedgerBytes } {
  if (bytes === undefined) return {};
  return {
    bytes: {
      ...bytes,
      content: unpackFloat64(bytes.content),
      frames: unpackFloat64(bytes.frames),
      attachments: unpackFloat64(bytes.attachments),
      other: unpackFloat64(bytes.other),
      bound: unpackFloat64(bytes.bound),
    },
  };
}
