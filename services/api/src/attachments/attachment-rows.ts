import type { Accounting, AttachmentFigures } from '@preflight/accounting';
import type { AttachmentRow, CountResult, Problem } from '@preflight/contracts';
import type { Fitted } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import { attachmentPart } from './attachment-totals.js';
import { figureRow } from './figure-row.js';

/** Rows of the attachments of a conversation, in the order of messages. */
export async function attachmentRows(
  { attachments = [] }: Pick<CountResult, 'attachments'>,
  accounting: Accounting,
  notes: Fitted['attachmentNotes'] = [],
): Promise<AttachmentRow[]> {
  const kept = new Map(notes.map((note) => [placeOf(note), note.kept]));
  const rows: AttachmentRow[] = [];
  const turn = new Turn();
  for (const [i, figures] of attachments.entries()) {
    if (i % 512 === 0) await turn.breathe();
    const before = rows.at(-1);
    const position = before?.index === figures.message ? before.position + 1 : 0;
    const sameAs = kept.get(placeOf({ index: figures.message, position }));
    rows.push({ ...rowOf(figures, position, accounting), ...(sameAs && { same_as: sameAs }) });
  }
  return rows;
}

function placeOf({ index, position }: { readonly index: number; readonly position?: number }): string {
  return `${index} ${position}`;
}

/** More than these tell nobody more about what a request is too large for. */
const MAX_DEAREST = 20;

/** What a refusal says of attachments: how many there are, and rows of those that count most, dearest first. */
export async function burdenOf(
  { attachments = [] }: Pick<CountResult, 'attachments'>,
  accounting: Accounting,
): Promise<Pick<Problem, 'attachments' | 'attachment_count'>> {
  if (attachments.length === 0) return {};
  const dearest: AttachmentRow[] = [];
  for (const row of await attachmentRows({ attachments }, accounting)) {
    const place = dearest.findIndex((other) => weightOf(other) < weightOf(row));
    if (place >= 0) dearest.splice(place, 0, row);
    else if (dearest.length < MAX_DEAREST) dearest.push(row);
    if (dearest.length > MAX_DEAREST) dearest.pop();
  }
  return { attachments: dearest, attachment_count: attachments.length };
}

/** What is refused weighs as the most that is taken. */
function weightOf({ tokens, high }: AttachmentRow): number {
  return tokens ?? high;
}

function rowOf(figures: AttachmentFigures, position: number, accounting: Accounting): AttachmentRow {
  const { message, kind, payload, provider, unreadable } = figures;
  const { low, high, basis } = attachmentPart(figures, accounting);
  return {
    index: message,
    position,
    kind,
    tokens: accounting === 'provider' ? provider.tokens : payload.tokens,
    ...{ low, high, basis },
    ...(provider.tokens === null && { error: provider.error }),
    ...(unreadable && { unreadable }),
    provider: figureRow(provider),
    payload: figureRow(payload),
  };
}
