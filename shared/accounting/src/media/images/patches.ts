import { levelOf } from '../conditions.js';
import type { PatchRule } from '../media-rule.js';
import { fitted, type Size, squares } from './size.js';

/** Tokens of an image that is cut into patches, at a level of detail (accounting.md §3.1); undefined if it has too many. */
export function patchTokens(rule: PatchRule, size: Size, detail: string | undefined): number | undefined {
  const { maxSidePx = Number.POSITIVE_INFINITY, maxPatches } = levelOf(rule.levels, detail, rule.auto);
  const shrunk = fitted(size, maxSidePx);
  const patches = squares(
    maxPatches === undefined ? shrunk : withinBudget(shrunk, maxPatches, rule),
    rule.patchPx,
  );
  return patches > rule.refusedAbovePatches ? undefined : Math.ceil(patches * rule.multiplier);
}

/** The most that an image can cost at a level of detail. */
export function mostPatchTokens(rule: PatchRule, detail: string | undefined): number {
  const { maxSidePx = Number.POSITIVE_INFINITY, maxPatches = Number.POSITIVE_INFINITY } = levelOf(
    rule.levels,
    detail,
    rule.auto,
  );
  const most = Math.min(Math.ceil(maxSidePx / rule.patchPx) ** 2, maxPatches, rule.refusedAbovePatches);
  return Math.ceil(most * rule.multiplier);
}

/** Scaled down to about so many patches, whole patches along one of the sides. */
function withinBudget(size: Size, maxPatches: number, { patchPx }: PatchRule): Size {
  if (squares(size, patchPx) <= maxPatches) return size;
  const { width, height } = size;
  const scale = Math.sqrt((patchPx * patchPx * maxPatches) / (width * height));
  const wide = (width * scale) / patchPx;
  const high = (height * scale) / patchPx;
  // A side of less than one patch stays one.
  const shrink =
    scale * Math.min(Math.max(1, Math.floor(wide)) / wide, Math.max(1, Math.floor(high)) / high, 1);
  return {
    width: Math.max(1, Math.floor(width * shrink)),
    height: Math.max(1, Math.floor(height * shrink)),
  };
}
