import type { Figure, MediaFigure } from '@preflight/accounting';
import type { FigureRow } from '@preflight/contracts';

/** A figure in the words of answers. */
export function figureRow(figure: Figure | MediaFigure): FigureRow {
  const { tokens, high, rule, date: rule_date } = figure;
  if (tokens === null) return { tokens, low: 0, high, basis: 'bound', rule, rule_date };
  const { low, basis } = figure;
  return { tokens, low, high, basis, rule, rule_date };
}
