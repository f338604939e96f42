import type { PreflightRequest, PreflightResponse } from '@preflight/contracts';
import { type FitLimits, overflowsOf, roomTokens } from '@preflight/core';
import type { AskedModel } from '../requests/asked-model.js';
import type { ConversationRequest } from '../requests/conversation-request.js';
import { reasoningTokens, type Suggestion } from '../requests/output-plan.js';

/** What the request had to keep, and by how much it did not. */
export function limitsReport(
  options: PreflightRequest,
  read: Pick<ConversationRequest, 'request'>,
  { known }: AskedModel,
  fit: FitLimits,
  { before, after }: { readonly before: number; readonly after: number },
  suggestion?: Suggestion,
): PreflightResponse['limits'] {
  const isOfModel = options.context_window === undefined;
  return {
    window_type: fit.windowType ?? (fit.contextWindowTokens === null ? null : 'shared_sum'),
    max_input_tokens: fit.maxInputTokens ?? null,
    max_output_tokens: (isOfModel ? known?.model.maxOutputTokens : null) ?? null,
    reasoning_tokens: reasoningTokens(options, read),
    room_left: roomTokens(after, fit),
    ...(suggestion?.maxOutputTokens !== undefined && {
      suggested_max_output_tokens: suggestion.maxOutputTokens,
    }),
    overflow: overflowsOf(before, fit),
  };
}
