import type { JsonObject } from '@preflight/core';
import { aiSdk } from './ai-sdk.js';
import { anthropicMessages } from './anthropic-messages.js';
import { bedrockConverse } from './bedrock-converse.js';
import type { Format } from './format.js';
import { gemini } from './gemini.js';
import { langchain } from './langchain.js';
import { langroid } from './langroid.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';

export { anthropicMessages } from './anthropic-messages.js';
export type { ReplaceFile } from './chat/files.js';
export type { FileForm } from './files/file-fields.js';
export type { Format, FormatWarning, ListResult, ParseResult } from './format.js';
export { gemini } from './gemini.js';
export { MAX_ISSUES } from './issue-list.js';
export { wireBytes } from './legality/find.js';
export {
  checkLegality,
  LEGALITIES,
  type Legality,
  type RepairedRequest,
  type Rule,
  type RuleCode,
  repairRequest,
  type Verdict,
  type Violation,
} from './legality/index.js';
export { hasIllFormed } from './legality/rules/strings.js';
export { type Measured, measureBytes } from './measure-bytes.js';
export { openaiChat } from './openai-chat.js';
export { openaiResponses } from './openai-responses.js';
export { placeSummary } from './place-summary.js';
export { reasoningBudget } from './reasoning-budget.js';

/** Every format there is; the first is the one of requests that name none. */
const ALL = [
  openaiChat,
  openaiResponses,
  aiSdk,
  langchain,
  anthropicMessages,
  bedrockConverse,
  gemini,
  langroid,
] as const;

type KnownFormat = (typeof ALL)[number];

/** Formats in which a conversation may come. */
export type FormatName = KnownFormat['name'];

/** Every format by its name. */
export const FORMATS = Object.fromEntries(ALL.map((format) => [format.name, format])) as {
  readonly [Known in KnownFormat as Known['name']]: Known;
};

export const DEFAULT_FORMAT: FormatName = ALL[0].name;

/** Peculiar formats come before the one that anything else is taken for. */
const DETECTABLE: readonly Format[] = [...ALL.slice(1), ALL[0]];

/** The format that a request looks like: the default one if it looks like none. */
export function detectFormat(request: JsonObject): Format {
  return DETECTABLE.find((format) => format.detect(request)) ?? ALL[0];
}

/** Fields that stand flat in some format. */
export const FLAT_FIELDS = [...new Set(ALL.flatMap(({ flatFields }) => flatFields))];
