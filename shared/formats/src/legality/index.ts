import type { Edit, JsonObject, Steps } from '@preflight/core';
import type { Format } from '../format.js';
import { aiSdkLegality } from './ai-sdk.js';
import { anthropicMessagesLegality } from './anthropic-messages.js';
import { bedrockConverseLegality } from './bedrock-converse.js';
import { pointerOf } from './entry.js';
import { type Addressed, findViolations, sentBytes } from './find.js';
import { geminiLegality } from './gemini.js';
import { langchainLegality } from './langchain.js';
import { langroidLegality } from './langroid.js';
import type { Finding, Legality, Rule, RuleCode } from './legality.js';
import { openaiChatLegality } from './openai-chat.js';
import { openaiResponsesLegality } from './openai-responses.js';
import { repair } from './repair.js';

export type { Legality, Rule, RuleCode } from './legality.js';

/** What providers refuse, by the name of the format that they are written to in. */
export const LEGALITIES: Readonly<Record<string, Legality>> = {
  'openai-chat': openaiChatLegality,
  'openai-responses': openaiResponsesLegality,
  'anthropic-messages': anthropicMessagesLegality,
  gemini: geminiLegality,
  'bedrock-converse': bedrockConverseLegality,
  'ai-sdk': aiSdkLegality,
  langchain: langchainLegality,
  langroid: langroidLegality,
};

/** A place in a request that its provider refuses, and the provider's rule. */
export interface Violation {
  readonly code: RuleCode;
  /** From the provider's request on. */
  readonly pointer: string;
  readonly rule: Rule;
}

/** Whether the provider would take a request as it stands. */
export interface Verdict {
  readonly provider: string;
  /** Nothing but advice is against it. */
  readonly isLegal: boolean;
  /** Of the request as JSON. */
  readonly bytes: number;
  /** The first of them, at most `MAX_VIOLATIONS`: more places than these tell a reader nothing new. */
  readonly violations: readonly Violation[];
  readonly violationCount: number;
}

const MAX_VIOLATIONS = 100;

/** How a request is given. */
export interface Given {
  /** Without the fields that say how it is to be answered, which are then not missed. */
  readonly isConversationAlone?: boolean;
}

/**
 * What a provider would say to a request without being asked: pairs, roles, order, empty contents, broken strings,
 * limits of bytes and counts. Without a model, rules of single models do not hold. Linear, in steps.
 */
export function* checkLegality(
  request: JsonObject,
  format: Format,
  model: string | undefined,
  given?: Given,
): Steps<Verdict> {
  const addressed = addressedTo(format, model, given);
  return yield* verdictOn(request, yield* findViolations(request, addressed), addressed);
}

/** A request after the least changes that mend it, the edits that lead there, and what none could mend. */
export interface RepairedRequest {
  readonly edits: readonly Edit[];
  readonly request: JsonObject;
  readonly verdict: Verdict;
}

/** Leaves out, puts in order or joins what breaks a rule; invents nothing, and does not change what is given. */
export function* repairRequest(
  request: JsonObject,
  format: Format,
  model: string | undefined,
  given?: Given,
): Steps<RepairedRequest> {
  const addressed = addressedTo(format, model, given);
  const { edits, request: repaired, remaining } = yield* repair(request, addressed);
  return { edits, request: repaired, verdict: yield* verdictOn(repaired, remaining, addressed) };
}

function addressedTo(
  format: Format,
  model: string | undefined,
  { isConversationAlone = false }: Given = {},
): Addressed {
  const legality = LEGALITIES[format.name];
  if (legality === undefined) throw new RangeError(`no rules for ${format.name}`);
  return { format, legality, model, isConversationAlone };
}

function* verdictOn(request: JsonObject, all: readonly Finding[], addressed: Addressed): Steps<Verdict> {
  const { legality } = addressed;
  const found = all.filter(({ isUncovered }) => !isUncovered);
  const ruleOf = ({ code, detail }: Finding): Rule => {
    const rule = legality.rules[code] as Rule;
    return detail === undefined ? rule : { ...rule, detail };
  };
  const violations = found.slice(0, MAX_VIOLATIONS).map((finding): Violation => {
    const { code, index, path } = finding;
    const pointer = pointerOf(index === undefined ? path : [legality.list, index, ...path]);
    return { code, pointer, rule: ruleOf(finding) };
  });
  return {
    provider: legality.provider,
    isLegal: found.every((finding) => ruleOf(finding).isAdvice),
    bytes: yield* sentBytes(request, addressed),
    violations,
    violationCount: found.length,
  };
}
