import {
  type Accounting,
  type AttachmentFigures,
  type MediaFigure,
  type Total,
  totalOf,
} from '@preflight/accounting';

/** What an attachment counts as by the accounting that decides, and between what it may be. */
export function attachmentPart(
  { payload, provider }: Pick<AttachmentFigures, 'payload' | 'provider'>,
  accounting: Accounting,
): Total {
  if (accounting === 'provider') return totalIn(provider);
  const billed = totalIn(provider);
  // What the provider makes of it may be far less than the text that it travels as, and more where that is a mere address.
  return {
    tokens: payload.tokens,
    low: Math.min(payload.low, billed.low),
    high: Math.max(payload.high, billed.high),
    basis: 'estimate',
  };
}

/** Attachments by the accounting that decides. */
export function attachmentTotal(
  figures: readonly Pick<AttachmentFigures, 'payload' | 'provider'>[],
  accounting: Accounting,
): Total {
  return totalOf(figures.map((figure) => attachmentPart(figure, accounting)));
}

/** What is refused counts as the most that is taken. */
export function totalIn(figure: MediaFigure): Total {
  if (figure.tokens !== null) return figure;
  return { tokens: figure.high, low: 0, high: figure.high, basis: 'bound' };
}
