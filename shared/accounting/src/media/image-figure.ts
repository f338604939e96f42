import type { MediaConditions } from './conditions.js';
import { aspectGridTokens, mostAspectGridTokens } from './images/aspect-grid.js';
import { cropTokens } from './images/crops.js';
import { paddedPatchTokens } from './images/padded-patches.js';
import { mostPatchTokens, patchTokens } from './images/patches.js';
import type { Size } from './images/size.js';
import { mostTileTokens, tileTokens } from './images/tiles.js';
import { bounded, figureOf, type MediaFigure, refused } from './media-figure.js';
import type { ImageRule } from './media-rule.js';
import type { HeldRule } from './rules-for-model.js';

/** What an image of unknown size is taken for; what it can cost at most is its upper bound. */
const ASSUMED: Size = { width: 1_024, height: 1_024 };

/** What an image costs. Refused for `image_dimension_limit` and `image_rejected`. */
export function imageFigure(held: HeldRule<ImageRule>, size: Size, conditions: MediaConditions): MediaFigure {
  const { rule } = held;
  const refusedAbovePx = Math.min(
    rule.refusedAbovePx ?? Number.POSITIVE_INFINITY,
    (conditions.imageCount ?? 1) > (rule.manyImages?.images ?? Number.POSITIVE_INFINITY)
      ? (rule.manyImages?.refusedAbovePx as number)
      : Number.POSITIVE_INFINITY,
  );
  if (Math.max(size.width, size.height) > refusedAbovePx)
    return refused(held, 'image_dimension_limit', most(rule, conditions));
  const cost = costOf(rule, size, conditions);
  return cost === undefined ? refused(held, 'image_rejected', most(rule, conditions)) : figureOf(held, cost);
}

/** What an image costs of which nothing is known. */
export function unseenImageFigure(held: HeldRule<ImageRule>, conditions: MediaConditions): MediaFigure {
  const cost = costOf(held.rule, ASSUMED, conditions);
  const high = most(held.rule, conditions);
  return bounded(held, { tokens: Math.min(cost?.tokens ?? high, high), low: least(held.rule), high });
}

interface Cost {
  readonly tokens: number;
  /** Where they are known to differ from the tokens by more than the margin. */
  readonly low?: number;
  readonly high?: number;
}

function costOf(rule: ImageRule, size: Size, conditions: MediaConditions): Cost | undefined {
  switch (rule.shape) {
    case 'patches': {
      const tokens = patchTokens(rule, size, conditions.detail);
      return tokens === undefined ? undefined : { tokens };
    }
    case 'tiles':
      return { tokens: tileTokens(rule, size, conditions) };
    case 'padded_patches':
      return { tokens: paddedPatchTokens(rule, size) };
    case 'aspect_grid':
      return {
        tokens: aspectGridTokens(rule, size, conditions.mediaResolution),
        high: mostAspectGridTokens(rule, conditions.mediaResolution),
      };
    case 'crops':
      return cropTokens(rule, size, conditions.mediaResolution);
  }
}

/** The most that any image costs. */
function most(rule: ImageRule, conditions: MediaConditions): number {
  switch (rule.shape) {
    case 'patches':
      return mostPatchTokens(rule, conditions.detail);
    case 'tiles':
      return mostTileTokens(rule, conditions);
    case 'padded_patches':
      return rule.maxTokens;
    case 'aspect_grid':
      return mostAspectGridTokens(rule, conditions.mediaResolution);
    case 'crops': {
      // A narrow band takes the smallest crops, a square the most of the largest.
      const { assumedMaxSidePx: width, minCropPx } = rule;
      const costs = [minCropPx * 1.5, width].map((height) =>
        cropTokens(rule, { width, height }, conditions.mediaResolution),
      );
      return Math.max(...costs.map(({ tokens }) => tokens));
    }
  }
}

/** The least that any image costs. */
function least(rule: ImageRule): number {
  if (rule.shape === 'tiles') return rule.baseTokens;
  if (rule.shape === 'crops') return Math.min(rule.cropTokens, ...Object.values(rule.fixedLevels));
  return 1;
}
