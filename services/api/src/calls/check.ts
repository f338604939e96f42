import type { CheckRequest, CheckResponse } from '@preflight/contracts';
import type { JsonObject } from '@preflight/core';
import { checkLegality, type RepairedRequest, repairRequest, type Verdict } from '@preflight/formats';
import { Turn } from '@preflight/runtime';
import { modelName } from '../requests/asked-model.js';
import { readRequest } from '../requests/conversation-request.js';

/**
 * Whether the provider would take the request in a checked body as it stands, and on request what is left once it is mended.
 * Nothing is counted, so that this is done here and at once. Throws `invalid_request` or `too_many_messages`.
 */
export async function checkBody(body: JsonObject, maxMessages: number): Promise<CheckResponse> {
  const { format, request, pointerPrefix } = readRequest(body, maxMessages);
  const options = body as unknown as CheckRequest;
  const model = modelName(body, request);
  // Flat fields are those of the conversation; how it is to be answered stands beside them, or is still to be said.
  const given = { isConversationAlone: pointerPrefix === '' };
  const turn = new Turn();
  const verdict = await turn.drive(checkLegality(request, format, model, given));
  const repaired = options.repair
    ? await turn.drive(repairRequest(request, format, model, given))
    : undefined;
  return {
    format: format.name,
    provider: verdict.provider,
    ...answered(verdict, pointerPrefix),
    ...(repaired && {
      repaired: {
        ...repairAnswer(repaired, options.return === 'conversation'),
        warnings: [...(format.warnings?.(repaired.edits) ?? [])],
      },
    }),
  };
}

function answered({ isLegal, bytes, violations, violationCount }: Verdict, pointerPrefix: string) {
  return {
    legal: isLegal,
    bytes,
    violations: violations.map(({ code, pointer, rule }) => ({
      code,
      pointer: pointerPrefix + pointer,
      rule: rule.detail,
      match: rule.match ?? null,
      source: rule.source,
      as_of: rule.asOf,
      advice: rule.isAdvice ?? false,
    })),
    violation_count: violationCount,
  };
}

function repairAnswer(
  { edits, request, verdict }: RepairedRequest,
  withConversation: boolean,
): Omit<NonNullable<CheckResponse['repaired']>, 'warnings'> {
  return {
    ...answered(verdict, ''),
    edits: edits as unknown as NonNullable<CheckResponse['repaired']>['edits'],
    ...(withConversation && { conversation: request }),
  };
}
