import {
  type Accounting,
  type AttachmentFigures,
  type MediaFigure,
  type ModelRules,
  providerFigure,
  type StatedMedia,
} from '@preflight/accounting';
import type { AttachmentFacts, AttachmentRow } from '@preflight/contracts';
import { type JsonObject, type MediaFacts, PreflightError } from '@preflight/core';
import { totalIn } from './attachment-totals.js';
import { figureRow } from './figure-row.js';
import { readStated } from './stated-media.js';

/** An attachment that was only stated, with what the provider makes of it. */
export interface BesideFigure {
  readonly stated: StatedMedia;
  readonly figure: MediaFigure;
}

/** Attachments of `attachments` that are no part of the conversation. Throws `invalid_request`, with places. */
export function statedBeside(body: JsonObject, accounting: Accounting): StatedMedia[] {
  const list = (body.attachments ?? []) as unknown as readonly AttachmentFacts[];
  const beside = list.flatMap((stated, index) => {
    if (stated.pointer !== undefined) return [];
    const read = readStated(stated, `/attachments/${index}`);
    if (read.kind === undefined)
      throw new PreflightError('invalid_request', {
        issues: [{ pointer: `/attachments/${index}/kind`, detail: 'is needed where there are no facts' }],
      });
    return [read];
  });
  if (beside.length > 0 && accounting !== 'provider')
    throw new PreflightError('invalid_request', {
      publicDetail: 'Attachments without their bytes count with accounting "provider" only.',
      issues: [{ pointer: '/accounting', detail: 'must be provider, where attachments are only stated' }],
    });
  return beside;
}

/** Their figures; limits go by all images of the request, those `inside` the conversation among them. */
export function besideFigures(
  beside: readonly StatedMedia[],
  rules: ModelRules,
  inside: readonly Pick<AttachmentFigures, 'kind'>[] = [],
): BesideFigure[] {
  const imageCount = [...beside, ...inside].filter(({ kind }) => kind === 'image').length;
  return beside.map((stated) => {
    const facts = stated.facts ?? unseen(stated);
    return { stated, figure: providerFigure(facts, rules, { ...stated.conditions, imageCount }) };
  });
}

function unseen({ kind }: StatedMedia): MediaFacts {
  return { kind: 'unreadable', reason: 'not_here', ...(kind && { as: kind }) };
}

/** Their rows in an answer. */
export function besideRows(figures: readonly BesideFigure[]): AttachmentRow[] {
  return figures.map(({ stated, figure }, position) => {
    const { low, high, basis } = totalIn(figure);
    return {
      index: null,
      position,
      kind: stated.kind ?? null,
      tokens: figure.tokens,
      ...{ low, high, basis },
      ...(figure.tokens === null && { error: figure.error }),
      provider: figureRow(figure),
      payload: null,
    };
  });
}
