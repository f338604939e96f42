import type { AudioRule, VideoRule } from '../media-rule.js';

const REALTIME = 'developers.openai.com/api/docs/guides/realtime-costs; used for gpt-audio too';
const GEMINI = 'ai.google.dev/gemini-api/docs/tokens';
const UNKNOWN = 'no rule is published';

/** Of audio whose length is not known: as long as Gemini takes at most, and an hour elsewhere. */
const LONGEST_AUDIO = { gemini: 34_200, other: 3_600 };
const LONGEST_VIDEO = 10_800;

/** What audio costs (accounting.md §4). */
export const AUDIO_RULES: readonly AudioRule[] = [
  {
    id: 'openai-audio',
    kind: 'audio',
    models: ['gpt-audio', 'gpt-realtime', 'gpt-4o-audio', 'gpt-4o-realtime', 'gpt-4o-mini-audio'],
    assumedFor: ['gpt', 'o1', 'o3', 'o4'],
    tokensPerSecond: 10,
    assistantTokensPerSecond: 20,
    assumedMaxSeconds: LONGEST_AUDIO.other,
    basis: 'formula',
    margin: { fraction: 0, tokens: 1 },
    source: REALTIME,
    date: '2026-09',
  },
  {
    id: 'gemini-audio',
    kind: 'audio',
    models: ['gemini-2*', 'gemini-3*'],
    assumedFor: ['gemini'],
    tokensPerSecond: 32,
    assumedMaxSeconds: LONGEST_AUDIO.gemini,
    basis: 'formula',
    margin: { fraction: 0, tokens: 0 },
    source: GEMINI,
    date: '2026-02',
  },
  {
    id: 'unknown-audio',
    kind: 'audio',
    models: [],
    assumedFor: ['*'],
    tokensPerSecond: 32,
    assumedMaxSeconds: LONGEST_AUDIO.other,
    basis: 'estimate',
    margin: { fraction: 1, tokens: 0 },
    source: UNKNOWN,
    date: '2026-11',
  },
];

/** What video costs: its frames and its sound (accounting.md §4). */
export const VIDEO_RULES: readonly VideoRule[] = [
  {
    id: 'gemini-3-video',
    kind: 'video',
    models: ['gemini-3*'],
    assumedFor: ['gemini'],
    frameTokens: { low: 70, medium: 70, high: 280 },
    unspecified: 'low',
    framesPerSecond: 1,
    audioTokensPerSecond: 32,
    assumedMaxSeconds: LONGEST_VIDEO,
    basis: 'estimate',
    margin: { fraction: 0.05, tokens: 0 },
    source: `ai.google.dev/gemini-api/docs/media-resolution; sound: ${GEMINI}, not restated for Gemini 3`,
    date: '2026-02',
  },
  {
    id: 'gemini-2.5-video',
    kind: 'video',
    models: ['gemini-2.5*', 'gemini-2.0*'],
    assumedFor: ['gemini-1*'],
    frameTokens: { low: 66, medium: 258, high: 258 },
    unspecified: 'high',
    framesPerSecond: 1,
    audioTokensPerSecond: 32,
    assumedMaxSeconds: LONGEST_VIDEO,
    basis: 'estimate',
    // The pages also say 263 and about 300 a second.
    margin: { fraction: 0.1, tokens: 0 },
    source: GEMINI,
    date: '2026-02',
  },
  {
    id: 'unknown-video',
    kind: 'video',
    models: [],
    assumedFor: ['*'],
    frameTokens: { high: 258 },
    unspecified: 'high',
    framesPerSecond: 1,
    audioTokensPerSecond: 32,
    assumedMaxSeconds: LONGEST_VIDEO,
    basis: 'estimate',
    margin: { fraction: 1, tokens: 0 },
    source: UNKNOWN,
    date: '2026-11',
  },
];
