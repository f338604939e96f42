import type { Accounting, AttachmentFigures } from '@preflight/accounting';
import type { AttachmentRow, CountResult } from '@preflight/contracts';
import { Turn } from '@preflight/runtime';
import { figureRow } from './figure-row.js';

/** Rows of the attachments of a conversation, in the order of messages. */
export async function attachmentRows(
  { attachments = [] }: Pick<CountResult, 'attachments'>,
  accounting: Accounting,
): Promise<AttachmentRow[]> {
  const rows: AttachmentRow[] = [];
  const turn = new Turn();
  for (const [i, figures] of attachments.entries()) {
    if (i % 512 === 0) await turn.breathe();
    const before = rows.at(-1);
    const position = before?.index === figures.message ? before.position + 1 : 0;
    rows.push(rowOf(figures, position, accounting));
  }
  return rows;
}

function rowOf(
  { message, kind, payload, provider }: AttachmentFigures,
  position: number,
  accounting: Accounting,
) {
  return {
    index: message,
    position,
    kind,
    tokens: accounting === 'provider' ? provider.tokens : payload.tokens,
    ...(provider.tokens === null && { error: provider.error }),
    provider: figureRow(provider),
    payload: figureRow(payload),
  };
}
