import { levelOf, type MediaConditions } from './conditions.js';
import { bounded, figureOf, type MediaFigure } from './media-figure.js';
import type { AudioRule, VideoRule } from './media-rule.js';
import type { HeldRule } from './rules-for-model.js';

/** What is taken to last so long where nothing is known. */
const ASSUMED_SECONDS = 60;

/** What audio costs; undefined where its length is not known. */
export function audioFigure(
  held: HeldRule<AudioRule>,
  seconds: number | undefined,
  { role }: MediaConditions,
): MediaFigure {
  const { tokensPerSecond, assistantTokensPerSecond = tokensPerSecond, assumedMaxSeconds } = held.rule;
  const rate = role === 'assistant' ? assistantTokensPerSecond : tokensPerSecond;
  if (seconds !== undefined) return figureOf(held, { tokens: seconds * rate });
  return bounded(held, { tokens: ASSUMED_SECONDS * rate, low: rate, high: assumedMaxSeconds * rate });
}

/** What a video costs: undefined where its length, or whether it has sound, is not known. */
export function videoFigure(
  held: HeldRule<VideoRule>,
  seconds: number | undefined,
  hasAudio: boolean | undefined,
  conditions: MediaConditions,
): MediaFigure {
  const { rule } = held;
  const rate =
    (conditions.fps ?? rule.framesPerSecond) *
    levelOf(rule.frameTokens, conditions.mediaResolution, rule.unspecified);
  const soundRate = rule.audioTokensPerSecond;
  const most = rate + (hasAudio === false ? 0 : soundRate);
  if (seconds === undefined)
    return bounded(held, { tokens: ASSUMED_SECONDS * most, low: rate, high: rule.assumedMaxSeconds * most });
  const low = hasAudio === undefined ? seconds * rate : undefined;
  return figureOf(held, { tokens: seconds * most, low });
}
