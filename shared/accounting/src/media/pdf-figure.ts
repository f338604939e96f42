import { levelOf, type MediaConditions } from './conditions.js';
import { bounded, figureOf, type MediaFigure, refused } from './media-figure.js';
import type { PdfRule } from './media-rule.js';
import type { HeldRule } from './rules-for-model.js';

/** What a file of unknown length is taken for. */
const ASSUMED_PAGES = 10;

/** The most pages that are thought of where no limit is published. */
const MOST_PAGES = 1_000;

/** What a PDF file costs; `textTokens` is of all its pages, undefined where it was not read. Refused for `page_limit`. */
export function pdfFigure(
  held: HeldRule<PdfRule>,
  { pages, textTokens }: { readonly pages: number; readonly textTokens?: number | undefined },
  conditions: MediaConditions,
): MediaFigure {
  const { rule } = held;
  if (pages > (rule.pageLimit ?? Number.POSITIVE_INFINITY))
    return refused(held, 'page_limit', mostOf(rule, conditions));
  return figureOf(held, costOf(rule, pages, textIn(rule, textTokens, conditions), conditions));
}

/** What a PDF file costs of which nothing is known. */
export function unseenPdfFigure(held: HeldRule<PdfRule>, conditions: MediaConditions): MediaFigure {
  const { tokens } = costOf(held.rule, ASSUMED_PAGES, undefined, conditions);
  const { low } = costOf(held.rule, 1, undefined, conditions);
  return bounded(held, { tokens, low, high: mostOf(held.rule, conditions) });
}

function textIn(
  { readsScans }: PdfRule,
  textTokens: number | undefined,
  { scanned }: MediaConditions,
): number | undefined {
  return textTokens ?? (scanned && !readsScans ? 0 : undefined);
}

function mostOf(rule: PdfRule, conditions: MediaConditions): number {
  return costOf(rule, rule.pageLimit ?? MOST_PAGES, undefined, conditions).high;
}

function costOf(
  rule: PdfRule,
  pages: number,
  textTokens: number | undefined,
  { detail, mediaResolution, citations }: MediaConditions,
): { readonly tokens: number; readonly low: number; readonly high: number } {
  if (citations && rule.citedPageTokens !== undefined) return exactly(pages * rule.citedPageTokens);
  const images = pages * levelOf(rule.pageTokens, mediaResolution ?? detail, rule.auto);
  if (rule.pageText === undefined) return exactly(images);
  if (textTokens !== undefined) return exactly(images + textTokens);
  const { tokens, high } = rule.pageText;
  return { tokens: images + pages * tokens, low: images, high: images + pages * high };
}

const exactly = (tokens: number) => ({ tokens, low: tokens, high: tokens });
