import type { TextEstimate, TextKind, TokenRatio } from '@preflight/core';

/** What a generation of models makes of texts, for one token of o200k_base (accounting.md §5). */
export interface TextRatioRule {
  readonly id: string;
  /** Names of models that it holds for, in small letters and with dashes for dots; the first rule that fits a name holds. */
  readonly models: RegExp;
  readonly ratios: Readonly<Record<TextKind, TokenRatio>>;
  readonly source: string;
  /** Year and month of the source. */
  readonly date: string;
}

/**
 * Where the vocabulary is public, the ratios were measured: `tokens` over all stretches of 1500 characters of each kind, `low` and
 * `high` what 97 of 100 of them keep within (specifications, licences, READMEs; TypeScript, JavaScript, Python, C; package files, vectors; Chinese,
 * Japanese, Korean manuals; random bytes), rounded outwards.
 */
const MEASURED = 'measured with the published vocabulary, 150 stretches of 1500 characters a kind';

export const TEXT_RATIO_RULES: readonly TextRatioRule[] = [
  {
    id: 'claude-4.7',
    // Names of Claude that say no older version are taken for the newer, which counts more.
    models:
      /^(?=.*(?:claude|fable|mythos))(?!.*(?:claude-(?:instant|[1-3])|(?:opus|sonnet|haiku)-(?:[1-3]|4(?!-[7-9](?!\d)))(?!\d)))/,
    ratios: {
      prose: { tokens: 1.55, low: 1.25, high: 1.65 },
      code: { tokens: 1.45, low: 1.25, high: 1.65 },
      json: { tokens: 1.43, low: 1.15, high: 1.65 },
      cjk: { tokens: 1.15, low: 0.9, high: 1.4 },
      base64: { tokens: 1.1, low: 1, high: 1.5 },
    },
    source:
      'public measurements: 1.55 prose, 1.43 CSV; 4.7 to 4.6: 1.20–1.46 prose, 1.13–1.39 code, 1.06–1.31 data, 1.00–1.01 CJK (sol.ava.dev, pithwire.com); 1.53 code (sammcj/ingest#65)',
    date: '2026-11',
  },
  {
    id: 'claude-3',
    models: /claude/,
    ratios: {
      prose: { tokens: 1.08, low: 1, high: 1.25 },
      code: { tokens: 1.18, low: 1.05, high: 1.3 },
      json: { tokens: 1.13, low: 1.05, high: 1.25 },
      cjk: { tokens: 1.15, low: 0.9, high: 1.4 },
      base64: { tokens: 1.03, low: 0.98, high: 1.25 },
    },
    source:
      'public measurements: 1.07 prose, 1.13 CSV, 1.18 code (sammcj/ingest#65); the documentation warns of 15 to 20 % and more on code; base64 by the vocabulary of Claude 2',
    date: '2026-11',
  },
  {
    id: 'gemini',
    models: /gemini|gemma/,
    ratios: {
      prose: { tokens: 1.1, low: 0.98, high: 1.3 },
      code: { tokens: 1.16, low: 1.04, high: 1.35 },
      json: { tokens: 1.2, low: 1.03, high: 1.4 },
      cjk: { tokens: 0.93, low: 0.75, high: 1.2 },
      base64: { tokens: 1.03, low: 1, high: 1.06 },
    },
    source: `Gemma 3, which the vendor's local counter takes for Gemini: ${MEASURED}; public measurements: 1.00 prose, 1.25 CSV`,
    date: '2026-11',
  },
  {
    id: 'llama-3',
    models: /llama-?3/,
    ratios: {
      prose: { tokens: 1.005, low: 0.97, high: 1.05 },
      code: { tokens: 0.993, low: 0.96, high: 1.05 },
      json: { tokens: 0.997, low: 0.97, high: 1.03 },
      cjk: { tokens: 0.995, low: 0.94, high: 1.09 },
      base64: { tokens: 1.048, low: 1.03, high: 1.08 },
    },
    source: MEASURED,
    date: '2026-11',
  },
  {
    id: 'qwen-3',
    models: /qwen-?(?:2|3)/,
    ratios: {
      prose: { tokens: 1.033, low: 0.97, high: 1.24 },
      code: { tokens: 1.008, low: 0.96, high: 1.28 },
      json: { tokens: 1.05, low: 0.98, high: 1.4 },
      cjk: { tokens: 1.018, low: 0.87, high: 1.23 },
      base64: { tokens: 1.086, low: 1.05, high: 1.11 },
    },
    source: MEASURED,
    date: '2026-11',
  },
  {
    id: 'deepseek-3',
    models: /deepseek-(?:v3|r1)/,
    ratios: {
      prose: { tokens: 1.054, low: 1, high: 1.3 },
      code: { tokens: 1.059, low: 0.99, high: 1.29 },
      json: { tokens: 1.037, low: 0.97, high: 1.15 },
      cjk: { tokens: 0.966, low: 0.8, high: 1.17 },
      base64: { tokens: 1.024, low: 1, high: 1.05 },
    },
    source: MEASURED,
    date: '2026-11',
  },
  {
    id: 'mistral-tekken',
    models: /mistral-nemo|ministral|pixtral|mistral-small-(?:3|25|26)/,
    ratios: {
      prose: { tokens: 1.095, low: 0.99, high: 1.46 },
      code: { tokens: 1.055, low: 0.98, high: 1.3 },
      json: { tokens: 1.087, low: 1.01, high: 1.42 },
      cjk: { tokens: 1.157, low: 0.95, high: 1.45 },
      base64: { tokens: 1.132, low: 1.09, high: 1.16 },
    },
    source: MEASURED,
    date: '2026-11',
  },
  {
    id: 'gpt-6',
    models: /gpt-6/,
    ratios: forAll({ tokens: 1, low: 0.95, high: 1.05 }),
    source: 'accounting.md §5: no vocabulary is published; taken for that of GPT-5',
    date: '2026-11',
  },
];

/** Of a model that nobody has measured. */
export const UNKNOWN_TEXT_RATIO_RULE: TextRatioRule = {
  id: 'unknown',
  models: /(?:)/,
  ratios: forAll({ tokens: 1, low: 0.75, high: 1.5 }),
  source: 'accounting.md §5: half as much again as an upper bound',
  date: '2026-11',
};

/** All of them, in the order in which they are tried. */
export const ALL_TEXT_RATIO_RULES: readonly TextRatioRule[] = [...TEXT_RATIO_RULES, UNKNOWN_TEXT_RATIO_RULE];

/** How texts of a model are estimated whose own vocabulary is not at hand; of one that nobody knows, by a wide margin. */
export function textEstimateFor(
  model: string | undefined,
  rules: readonly TextRatioRule[] = ALL_TEXT_RATIO_RULES,
): TextEstimate {
  const name = (model ?? '').toLowerCase().replaceAll('.', '-');
  const { id, date, ratios } = rules.find(({ models }) => models.test(name)) ?? UNKNOWN_TEXT_RATIO_RULE;
  return { rule: id, date, ratios };
}

function forAll(ratio: TokenRatio): TextRatioRule['ratios'] {
  return { prose: ratio, code: ratio, json: ratio, cjk: ratio, base64: ratio };
}
