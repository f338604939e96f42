import type { PreflightRequest, Warning } from '@preflight/contracts';
import type { FitLimits } from '@preflight/core';
import { reasoningBudget } from '@preflight/formats';
import type { AskedModel } from './asked-model.js';
import type { ConversationRequest } from './conversation-request.js';

const DEFAULT_MAX_OUTPUT_TOKENS = 8192;
const DEFAULT_MIN_OUTPUT_TOKENS = 64;
const DEFAULT_BUFFER_TOKENS = 300;

/**
 * What a model may need to reason where nobody says how much: "at least 25,000 tokens for reasoning and outputs"
 * (developers.openai.com/api/docs/guides/reasoning, November 2026).
 */
const USUAL_REASONING_TOKENS = 25_000;

type OutputOptions = Pick<
  PreflightRequest,
  | 'context_window'
  | 'max_output_tokens'
  | 'min_output_tokens'
  | 'buffer_tokens'
  | 'reasoning_tokens'
  | 'visible_output_tokens'
>;

/**
 * Window, limits and output of a fit, with every default filled in (`design.md` §7, formats.md §4).
 * Explicit options win over the catalog: a window that the request states is shared by input and output, whatever the
 * model's own, and does not bound the output. A reserve for reasoning is kept as the minimal output is, as far as the output asked for allows.
 */
export function limitsOf(
  options: OutputOptions,
  read: Pick<ConversationRequest, 'format' | 'request'>,
  { known }: AskedModel,
  defaultContextWindowTokens: number | undefined,
): FitLimits {
  const model = options.context_window === undefined ? known?.model : undefined;
  const askedOutputTokens =
    options.max_output_tokens ??
    requestedOutput(read) ??
    known?.model.maxOutputTokens ??
    DEFAULT_MAX_OUTPUT_TOKENS;
  const maxOutputTokens = Math.min(askedOutputTokens, model?.maxOutputTokens ?? askedOutputTokens);
  const minOutputTokens = options.min_output_tokens ?? DEFAULT_MIN_OUTPUT_TOKENS;
  const reservedTokens = Math.min(
    reasoningTokens(options, read),
    Math.max(0, maxOutputTokens - minOutputTokens),
  );
  return {
    contextWindowTokens:
      options.context_window ?? model?.contextWindowTokens ?? defaultContextWindowTokens ?? null,
    ...(model && { windowType: model.windowType }),
    ...(model && model.maxInputTokens !== null && { maxInputTokens: model.maxInputTokens }),
    maxOutputTokens,
    ...(askedOutputTokens > maxOutputTokens && { askedOutputTokens }),
    minOutputTokens: minOutputTokens + reservedTokens,
    bufferTokens: options.buffer_tokens ?? DEFAULT_BUFFER_TOKENS,
  };
}

/** Output that was asked for, before the model's limit. */
export function askedOutputTokens({
  maxOutputTokens,
  askedOutputTokens = maxOutputTokens,
}: FitLimits): number {
  return askedOutputTokens;
}

/** Output that is kept for reasoning: as the options say, else as the request itself does. */
export function reasoningTokens(
  { reasoning_tokens }: OutputOptions,
  { request }: Pick<ConversationRequest, 'request'>,
): number {
  return reasoning_tokens ?? reasoningBudget(request) ?? 0;
}

/** Output that would leave room for reasoning, where the output of an answer does not. */
export interface Suggestion {
  /** Absent where no output of the model would be enough. */
  readonly maxOutputTokens?: number;
  readonly warning: Warning;
}

/** Whether `outputTokens` are enough for what a model may reason, and for the answer that is wanted beside it. */
export function suggestedOutput(
  options: OutputOptions,
  read: Pick<ConversationRequest, 'request'>,
  { known }: AskedModel,
  outputTokens: number,
): Suggestion | undefined {
  const stated = reasoningTokens(options, read);
  const visible = options.visible_output_tokens;
  const reserved =
    stated > 0 || visible === undefined || known?.model.reasoning !== 'always'
      ? stated
      : USUAL_REASONING_TOKENS;
  if (reserved === 0) return undefined;
  const wanted = reserved + (visible ?? options.min_output_tokens ?? DEFAULT_MIN_OUTPUT_TOKENS);
  if (outputTokens >= wanted || (visible === undefined && outputTokens > reserved)) return undefined;
  const most = known?.model.maxOutputTokens ?? wanted;
  const isPossible = wanted <= most;
  const inWords =
    stated > 0
      ? `Reasoning may take ${stated} tokens of an output of ${outputTokens}`
      : `The model reasons before it answers, within the output of ${outputTokens} tokens`;
  return {
    ...(isPossible && { maxOutputTokens: wanted }),
    warning: {
      code: stated >= outputTokens ? 'reasoning_exceeds_output' : 'reasoning_in_output',
      detail: `${inWords}, which may leave ${stated >= outputTokens ? 'nothing' : 'too little'} for the answer; ${isPossible ? `an output of ${wanted} would leave room` : `the model writes at most ${most} tokens`}.`,
    },
  };
}

/** What the provider's own request asks for; of Chat Completions, and formats like it, under its newer or its older name. */
function requestedOutput({
  format,
  request,
}: Pick<ConversationRequest, 'format' | 'request'>): number | undefined {
  const asked = format.maxOutput?.(request) ?? request.max_completion_tokens ?? request.max_tokens;
  return typeof asked === 'number' && Number.isSafeInteger(asked) && asked >= 0 ? asked : undefined;
}
