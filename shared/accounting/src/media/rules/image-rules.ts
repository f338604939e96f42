import type { Margin } from '../../figure.js';
import type { ImageRule, PatchRule, TileRule } from '../media-rule.js';

const OPENAI = 'developers.openai.com/api/docs/guides/images-vision';
const OPENAI_OLDER = `${OPENAI}, older edition`;
const ANTHROPIC = 'platform.claude.com/docs/en/build-with-claude/vision';
const GEMINI = 'ai.google.dev/gemini-api/docs/media-resolution';

/** Billing rounds by 1; 7 to 8 tokens were measured around each image. */
const AROUND_AN_IMAGE: Margin = { fraction: 0, tokens: 9 };
const NONE: Margin = { fraction: 0, tokens: 0 };

const PATCHES = { shape: 'patches', patchPx: 32, refusedAbovePatches: 30_000, multiplier: 1.2 } as const;

const LARGE = { maxSidePx: 2_048, maxPatches: 6_144 };

/** Every level is the same. */
function oneLevel(level: PatchRule['levels'][string]): Pick<PatchRule, 'levels' | 'auto'> {
  return { levels: { low: level, high: level, original: level }, auto: 'high' };
}

const TILES = { shape: 'tiles', tilePx: 512, fitPx: 2_048, shortSidePx: 768 } as const;

/** Rules of OpenAI that differ in nothing but these. */
function openai(
  id: string,
  models: readonly string[],
  cost: PatchRule | TileRule,
  { date = '2026-09', source = OPENAI, assumedFor = [] as readonly string[] } = {},
): ImageRule {
  const margin = cost.shape === 'patches' ? AROUND_AN_IMAGE : NONE;
  const dated = { basis: 'formula', margin, source, date } as const;
  return { id, kind: 'image', models, ...(assumedFor.length > 0 && { assumedFor }), ...cost, ...dated };
}

/** What images cost (accounting.md §3). */
export const IMAGE_RULES: readonly ImageRule[] = [
  openai(
    'openai-patches-gpt-6',
    ['gpt-6-astra'],
    {
      ...PATCHES,
      levels: {
        low: { maxSidePx: 512 },
        high: { maxSidePx: 65_535, maxPatches: 2_500 },
        original: { maxSidePx: 65_535 },
      },
      auto: 'original',
    },
    { assumedFor: ['gpt-6*'] },
  ),
  openai('openai-patches-gpt-5.6', ['gpt-5.6', 'gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna'], {
    ...PATCHES,
    levels: {
      low: { maxSidePx: 512 },
      high: { maxSidePx: 2_048, maxPatches: 2_500 },
      original: { maxSidePx: 65_535 },
    },
    auto: 'original',
  }),
  openai('openai-patches-gpt-5.5', ['gpt-5.5'], {
    ...PATCHES,
    levels: {
      low: { maxSidePx: 512 },
      high: { maxSidePx: 2_048, maxPatches: 2_500 },
      original: { maxSidePx: 6_000, maxPatches: 10_000 },
    },
    auto: 'original',
  }),
  openai('openai-patches-gpt-5.4', ['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-nano'], {
    ...PATCHES,
    levels: {
      low: LARGE, // More than high, as published.
      high: { maxSidePx: 2_048, maxPatches: 2_500 },
      original: { maxSidePx: 6_000, maxPatches: 10_000 },
    },
    auto: 'high',
  }),
  openai(
    'openai-patches-gpt-5.2',
    ['gpt-5.2'],
    { ...PATCHES, ...oneLevel(LARGE) },
    { assumedFor: ['gpt-5.3'] },
  ),
  openai('openai-patches-gpt-4.1-mini', ['gpt-4.1-mini'], {
    ...PATCHES,
    multiplier: 1.62,
    ...oneLevel(LARGE),
  }),
  openai('openai-patches-gpt-5-mini', ['gpt-5-mini'], { ...PATCHES, ...oneLevel({ maxPatches: 1_536 }) }),
  openai('openai-patches-gpt-5-nano', ['gpt-5-nano'], {
    ...PATCHES,
    multiplier: 1.5,
    ...oneLevel({ maxPatches: 1_536 }),
  }),
  openai('openai-patches-gpt-4.1-nano', ['gpt-4.1-nano'], {
    ...PATCHES,
    multiplier: 2.46,
    ...oneLevel({ maxPatches: 1_536 }),
  }),
  openai('openai-patches-o4-mini', ['o4-mini'], {
    ...PATCHES,
    multiplier: 1.72,
    ...oneLevel({ maxPatches: 1_536 }),
  }),

  openai(
    'openai-tiles-gpt-4o',
    ['gpt-4o', 'gpt-4.1', 'gpt-4.5'],
    { ...TILES, baseTokens: 85, tileTokens: 170 },
    { assumedFor: ['chatgpt-4o', 'gpt-4', 'gpt-4-turbo'] },
  ),
  openai('openai-tiles-gpt-5', ['gpt-5', 'gpt-5.1'], { ...TILES, baseTokens: 70, tileTokens: 140 }),
  // As billed; whether it takes as much of the window is disputed.
  openai('openai-tiles-gpt-4o-mini', ['gpt-4o-mini'], { ...TILES, baseTokens: 2_833, tileTokens: 5_667 }),
  openai(
    'openai-tiles-o',
    ['o1', 'o1-pro', 'o3'],
    { ...TILES, baseTokens: 75, tileTokens: 150 },
    { assumedFor: ['o3-pro'] },
  ),
  openai(
    'openai-tiles-computer-use',
    ['computer-use-preview'],
    { ...TILES, baseTokens: 65, tileTokens: 129 },
    { source: OPENAI_OLDER, date: '2025-12' },
  ),
  openai(
    'openai-tiles-gpt-image-1',
    ['gpt-image-1'],
    {
      ...TILES,
      shortSidePx: 512,
      baseTokens: 65,
      tileTokens: 129,
      fidelityTokens: { square: 4_160, other: 6_240 },
    },
    { assumedFor: ['gpt-image'] },
  ),

  {
    id: 'anthropic-high',
    kind: 'image',
    models: ['claude-*-4-7', 'claude-*-4-8', 'claude-*-5*', 'claude-mythos*'],
    assumedFor: ['claude'],
    shape: 'padded_patches',
    patchPx: 28,
    maxSidePx: 2_576,
    maxTokens: 4_784,
    refusedAbovePx: 8_000,
    manyImages: { images: 20, refusedAbovePx: 2_000 },
    basis: 'formula',
    margin: NONE,
    source: ANTHROPIC,
    date: '2026-09',
  },
  {
    id: 'anthropic-standard',
    kind: 'image',
    models: [
      'claude-3*',
      'claude-*-3*',
      'claude-3-5*',
      'claude-3-7*',
      'claude-*-4',
      'claude-*-4-0',
      'claude-*-4-1',
      'claude-*-4-5',
      'claude-*-4-6',
    ],
    shape: 'padded_patches',
    patchPx: 28,
    maxSidePx: 1_568,
    maxTokens: 1_568,
    refusedAbovePx: 8_000,
    manyImages: { images: 20, refusedAbovePx: 2_000 },
    basis: 'formula',
    margin: NONE,
    source: ANTHROPIC,
    date: '2026-09',
  },

  // The published figures are maxima; the layout is inferred from ten public measurements.
  {
    id: 'gemini-3-image',
    kind: 'image',
    models: ['gemini-3*'],
    assumedFor: ['gemini'],
    shape: 'aspect_grid',
    levels: { low: 280, medium: 560, high: 1_120, ultra_high: 2_240 },
    unspecified: 'high',
    basis: 'estimate',
    margin: NONE,
    source: GEMINI,
    date: '2026-02',
  },
  // 258 was answered for every size (googleapis/python-genai#1349); the clamp is quoted in BerriAI/litellm#3269.
  {
    id: 'gemini-2.5-crops',
    kind: 'image',
    models: ['gemini-2.5*', 'gemini-2.0*'],
    assumedFor: ['gemini-1*'],
    shape: 'crops',
    cropTokens: 258,
    wholeUpToPx: 384,
    minCropPx: 256,
    maxCropPx: 768,
    fixedLevels: { low: 64, medium: 256 },
    addedLevels: { high: 256 },
    assumedMaxSidePx: 3_072,
    basis: 'formula',
    margin: NONE,
    source: GEMINI,
    date: '2026-02',
  },

  // Nothing is known of others: the dearest of the common rules, with as much again for room.
  {
    id: 'unknown-image',
    kind: 'image',
    models: [],
    assumedFor: ['*'],
    shape: 'padded_patches',
    patchPx: 28,
    maxSidePx: 2_576,
    maxTokens: 4_784,
    basis: 'estimate',
    margin: { fraction: 1, tokens: 0 },
    source: 'no rule is published',
    date: '2026-11',
  },
];
