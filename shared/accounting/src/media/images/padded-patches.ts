import type { PaddedPatchRule } from '../media-rule.js';
import { type Size, squares } from './size.js';

/**
 * Tokens of the largest image of the same shape whose padded sides keep to the limit and whose patches do
 * (accounting.md §3.3). The longer side is searched by halves, since patches only grow with it.
 */
export function paddedPatchTokens(rule: PaddedPatchRule, { width, height }: Size): number {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  const sizeAt = (side: number): Size => ({
    width: side,
    height: Math.max(1, roundHalfEven((side * short) / long)),
  });
  const fits = (size: Size): boolean =>
    Math.ceil(size.width / rule.patchPx) * rule.patchPx <= rule.maxSidePx &&
    squares(size, rule.patchPx) <= rule.maxTokens;
  if (fits({ width: long, height: short })) return squares({ width: long, height: short }, rule.patchPx);
  let most = 1;
  let least = Math.min(long, rule.maxSidePx) + 1;
  while (least - most > 1) {
    const middle = (most + least) >> 1;
    if (fits(sizeAt(middle))) most = middle;
    else least = middle;
  }
  return squares(sizeAt(most), rule.patchPx);
}

/** As the provider's own reference rounds. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
