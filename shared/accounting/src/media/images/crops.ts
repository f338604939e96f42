import type { CropRule } from '../media-rule.js';
import { type Size, squares } from './size.js';

/** Tokens of an image that is covered by crops (accounting.md §3.4), at the least and by the rule. */
export function cropTokens(
  rule: CropRule,
  size: Size,
  resolution: string | undefined,
): { readonly low: number; readonly tokens: number } {
  const level = resolution?.toLowerCase().replace(/^media_resolution_/, '') ?? '';
  const fixed = Object.hasOwn(rule.fixedLevels, level) ? rule.fixedLevels[level] : undefined;
  if (fixed !== undefined) return { low: fixed, tokens: fixed };
  const added = (Object.hasOwn(rule.addedLevels, level) ? rule.addedLevels[level] : 0) as number;
  const { width, height } = size;
  const isWhole = Math.max(width, height) <= rule.wholeUpToPx;
  const sidePx = Math.min(
    rule.maxCropPx,
    Math.max(rule.minCropPx, Math.floor(Math.min(width, height) / 1.5)),
  );
  const crops = isWhole ? 1 : squares(size, sidePx);
  // Every size has been seen to cost one crop.
  return { low: rule.cropTokens, tokens: added + crops * rule.cropTokens };
}
