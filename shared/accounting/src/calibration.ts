import {
  type CalibrationSample,
  estimatedTokens,
  TEXT_KINDS,
  type TextEstimate,
  type TextKind,
  type TokenRatio,
} from '@preflight/core';

/** Fewer say nothing: the rule holds. */
export const MIN_CALIBRATION_SAMPLES = 5;

/** Of smaller requests formatting and rounding would be learned, not the tokenizer. */
const MIN_COUNTED_TOKENS = 100;

/** No tokenizer is so far from its rule; the request was another one, or had attachments. */
const MAX_FACTOR = 2.5;

/** Of one kind are requests of which so much is. */
const PREVAILING_SHARE = 0.8;

/** Bounds are never nearer, however well samples agree. */
const MIN_MARGIN = 0.02;

/** Standard deviations of a normal distribution, told by the median of deviations. */
const DEVIATIONS = 3 * 1.4826;

export interface ActualUsage {
  /** Counted tokens of the request's texts, by kind. */
  readonly counted: Readonly<Partial<Record<TextKind, number>>>;
  /** What the provider charged, without what is no text. */
  readonly textTokens: number;
  readonly atMs: number;
}

/** Why a usage teaches nothing. */
export interface NoSample {
  readonly reason: 'too_small' | 'implausible';
  /** In words, with the figures that it was told by. */
  readonly detail: string;
}

/** The sample that a usage gives against the rule of its model, or why it gives none. */
export function calibrationSample(
  rule: TextEstimate,
  { counted, textTokens, atMs }: ActualUsage,
): CalibrationSample | NoSample {
  const countOf = (kind: TextKind) => counted[kind] ?? 0;
  const countedTokens = TEXT_KINDS.reduce((sum, kind) => sum + countOf(kind), 0);
  const expectedTokens = TEXT_KINDS.reduce(
    (sum, kind) => sum + estimatedTokens(rule, kind, countOf(kind)),
    0,
  );
  // Of a request that is too small its formatting may be many times its texts, and this much is still plausible.
  const slackTokens = countedTokens < MIN_COUNTED_TOKENS ? MIN_COUNTED_TOKENS : 0;
  const isPlausible =
    textTokens >= expectedTokens / MAX_FACTOR - slackTokens &&
    textTokens <= expectedTokens * MAX_FACTOR + slackTokens;
  if (!isPlausible)
    return {
      reason: 'implausible',
      detail: `Texts were charged ${textTokens} tokens where ${expectedTokens} were expected: more than ${MAX_FACTOR} times as many, or as few. It was another request, or one with attachments.`,
    };
  if (countedTokens < MIN_COUNTED_TOKENS)
    return {
      reason: 'too_small',
      detail: `The texts of the request have ${countedTokens} counted tokens; fewer than ${MIN_COUNTED_TOKENS} teach nothing of the tokenizer.`,
    };
  const kind = TEXT_KINDS.find((one) => countOf(one) >= PREVAILING_SHARE * countedTokens) ?? 'mixed';
  return { rule: ruleName(rule), kind, factor: textTokens / expectedTokens, atMs };
}

/**
 * The estimate of a model as its samples have it: for each kind the median of its own factors, or of all where it has too few, within
 * three deviations, wider the fewer there are. Medians of factors and of deviations, so that outliers move neither. The rule
 * itself where there are fewer than `MIN_CALIBRATION_SAMPLES` samples against it.
 */
export function calibrated(rule: TextEstimate, samples: readonly CalibrationSample[]): TextEstimate {
  const all = samples.filter((sample) => sample.rule === ruleName(rule));
  if (all.length < MIN_CALIBRATION_SAMPLES) return rule;
  const learned = (kind: TextKind): TokenRatio => {
    const own = all.filter((sample) => sample.kind === kind);
    const used = own.length < MIN_CALIBRATION_SAMPLES ? all : own;
    const factors = used.map(({ factor }) => factor);
    const middle = median(factors);
    const deviation = median(factors.map((factor) => Math.abs(factor - middle)));
    const margin = Math.max(MIN_MARGIN, DEVIATIONS * deviation) * (1 + MIN_CALIBRATION_SAMPLES / used.length);
    const ofRule = rule.ratios[kind].tokens;
    return {
      tokens: rounded(ofRule * middle),
      low: rounded(ofRule * Math.max(middle - margin, 0)),
      high: rounded(ofRule * (middle + margin)),
    };
  };
  const newestMs = Math.max(...all.map(({ atMs }) => atMs));
  return {
    rule: 'calibrated',
    date: new Date(newestMs).toISOString().slice(0, 10),
    samples: all.length,
    ratios: {
      prose: learned('prose'),
      code: learned('code'),
      json: learned('json'),
      cjk: learned('cjk'),
      base64: learned('base64'),
    },
  };
}

function ruleName({ rule, date }: TextEstimate): string {
  return `${rule} ${date}`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Learned digits beyond these are noise. */
function rounded(ratio: number): number {
  return Math.round(ratio * 1000) / 1000;
}
