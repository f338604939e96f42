import type { MediaFacts } from '@preflight/core';
import type { MediaType } from './media-types.js';
import { damaged } from './unreadable.js';

/** Sound of so many samples. Throws `damaged` where that is no length. */
export function audioFacts(mimeType: MediaType, samples: number, samplesPerSecond: number): MediaFacts {
  return { kind: 'audio', seconds: secondsOf(samples, samplesPerSecond), mimeType };
}

/** How long so many ticks take. Throws `damaged` for none, and for what is no length. */
export function secondsOf(ticks: number, ticksPerSecond: number): number {
  const seconds = ticks / ticksPerSecond;
  if (!(seconds > 0 && Number.isFinite(seconds))) throw damaged();
  return seconds;
}
