import { levelOf } from '../conditions.js';
import type { AspectGridRule } from '../media-rule.js';
import type { Size } from './size.js';

/** Tokens of an image of which only the shape matters (accounting.md §3.4). */
export function aspectGridTokens(
  rule: AspectGridRule,
  { width, height }: Size,
  resolution: string | undefined,
): number {
  const most = mostAspectGridTokens(rule, resolution);
  const columns = Math.floor(Math.sqrt((most * width) / height));
  const rows = Math.floor(Math.sqrt((most * height) / width));
  return Math.min(most, Math.max(1, columns) * Math.max(1, rows));
}

/** The published maximum of a level. */
export function mostAspectGridTokens(rule: AspectGridRule, resolution: string | undefined): number {
  return levelOf(rule.levels, resolution, rule.unspecified);
}
