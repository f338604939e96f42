import type { TileRule } from '../media-rule.js';
import { fitted, type Size, squares } from './size.js';

/** Tokens of an image that is cut into tiles (accounting.md §3.2). */
export function tileTokens(
  rule: TileRule,
  size: Size,
  { detail, inputFidelity }: { readonly detail?: string; readonly inputFidelity?: string },
): number {
  if (detail?.toLowerCase() === 'low') return rule.baseTokens;
  const tiles = squares(toShortSide(fitted(size, rule.fitPx), rule.shortSidePx), rule.tilePx);
  return rule.baseTokens + tiles * rule.tileTokens + fidelityTokens(rule, size, inputFidelity);
}

/** The most that an image can cost. */
export function mostTileTokens(
  rule: TileRule,
  conditions: { readonly detail?: string; readonly inputFidelity?: string },
): number {
  const longest = { width: rule.fitPx, height: Math.min(rule.fitPx, rule.shortSidePx) };
  return tileTokens(rule, longest, conditions);
}

function toShortSide(size: Size, shortSidePx: number): Size {
  const { width, height } = size;
  const short = Math.min(width, height);
  if (short <= shortSidePx) return size;
  const long = Math.floor((Math.max(width, height) * shortSidePx) / short);
  return width < height ? { width: shortSidePx, height: long } : { width: long, height: shortSidePx };
}

function fidelityTokens(
  { fidelityTokens }: TileRule,
  { width, height }: Size,
  asked: string | undefined,
): number {
  if (fidelityTokens === undefined || asked?.toLowerCase() !== 'high') return 0;
  return width === height ? fidelityTokens.square : fidelityTokens.other;
}
