import { type MediaFigure, type ModelRules, providerFigure } from '@preflight/accounting';
import type { AttachmentFacts, AttachmentRow } from '@preflight/contracts';
import { type Conversation, type JsonObject, type MediaFacts, PreflightError } from '@preflight/core';
import { figureRow } from './figure-row.js';
import { readStated, type StatedMedia } from './stated-media.js';

/** An attachment that was only stated, with what the provider makes of it. */
export interface BesideFigure {
  readonly stated: StatedMedia;
  readonly figure: MediaFigure;
}

/** Attachments of `attachments` that are no part of the conversation. Throws `invalid_request`, with places. */
export function statedBeside(body: JsonObject): StatedMedia[] {
  const list = (body.attachments ?? []) as readonly AttachmentFacts[];
  const beside = list.flatMap((stated, index) => {
    if (stated.pointer !== undefined) return [];
    const read = readStated(stated, `/attachments/${index}`);
    if (read.kind === undefined)
      throw new PreflightError('invalid_request', {
        issues: [{ pointer: `/attachments/${index}/kind`, detail: 'is needed where there are no facts' }],
      });
    return [read];
  });
  if (beside.length > 0 && body.accounting !== 'provider')
    throw new PreflightError('invalid_request', {
      publicDetail: 'Attachments without their bytes count with accounting "provider" only.',
      issues: [{ pointer: '/accounting', detail: 'must be provider, where attachments are only stated' }],
    });
  return beside;
}

/** Their figures. */
export function besideFigures(beside: readonly StatedMedia[], rules: ModelRules): BesideFigure[] {
  const imageCount = beside.filter(({ kind }) => kind === 'image').length;
  return beside.map((stated) => {
    const facts = stated.facts ?? unseen(stated);
    return { stated, figure: providerFigure(facts, rules, { ...stated.conditions, imageCount }) };
  });
}

/** Throws `unsupported_option`, where attachments of messages are to be counted as the provider does. */
export function refuseUnpriced(body: JsonObject, { messages }: Conversation): void {
  if (body.accounting !== 'provider' || messages.every(({ attachments }) => attachments.length === 0)) return;
  throw new PreflightError('unsupported_option', {
    publicDetail: 'Attachments of messages cannot be counted as the provider does yet.',
    issues: [{ pointer: '/accounting', detail: 'goes with stated attachments only' }],
  });
}

function unseen({ kind }: StatedMedia): MediaFacts {
  return { kind: 'unreadable', reason: 'not_here', ...(kind && { as: kind }) };
}

/** What they come to; null if the provider refuses one. */
export function tokensBeside(figures: readonly BesideFigure[]): number | null {
  return figures.reduce<number | null>(
    (sum, { figure: { tokens } }) => (sum === null || tokens === null ? null : sum + tokens),
    0,
  );
}

/** Their rows in an answer. */
export function besideRows(figures: readonly BesideFigure[]): AttachmentRow[] {
  return figures.map(({ stated, figure }, position) => ({
    index: null,
    position,
    kind: stated.kind ?? null,
    tokens: figure.tokens,
    ...(figure.tokens === null && { error: figure.error }),
    provider: figureRow(figure),
    payload: null,
  }));
}
