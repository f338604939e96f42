import { type Conversation, isAbsent, isObject, isText, type JsonObject, type Steps } from '@preflight/core';
import type { Format, ParseResult } from './format.js';
import { IssueList } from './issue-list.js';
import { countLeadingInstructions } from './leading-instructions.js';
import { applyItemEdits, itemEdits } from './openai-responses/item-edits.js';
import { replaceItemFiles } from './openai-responses/item-files.js';
import { readItems } from './openai-responses/read-items.js';

/** OpenAI's Responses (formats.md §1, §2; types of openai 6.49, November 2026). Each item of `input` is a message. */
export const openaiResponses = {
  name: 'openai-responses',
  description: 'is Responses: `input` as a text or as items, `instructions` beside it',
  flatFields: [],
  detect: ({ input, messages }) => (isText(input) || Array.isArray(input)) && messages === undefined,
  maxOutput: ({ max_output_tokens }) => max_output_tokens,
  messageCount: ({ input }) => (Array.isArray(input) ? input.length : Number(isText(input))),
  parse: parseResponsesRequest,
  edits: itemEdits,
  apply: applyItemEdits,
  replaceFiles: replaceItemFiles,
  providerState: (request) => PROVIDER_STATE.filter((name) => !isAbsent(request[name])),
  canNoteAttachments: true,
  instructions: { field: 'instructions', create: (text) => text },
} as const satisfies Format;

/** The conversation before `input`, if the provider keeps it. */
const PROVIDER_STATE = ['previous_response_id', 'conversation'];

function* parseResponsesRequest(request: JsonObject): Steps<ParseResult> {
  const issues = new IssueList('input');
  const messages = yield* readItems(request.input, issues);
  const instructions = issues.readText(request.instructions, '/instructions');
  const tools = issues.readObjects(request.tools, '/tools') ?? [];
  if (issues.issues.length > 0) return { issues: issues.issues };
  const answerSchema = schemaOfAnswer(request);
  const conversation: Conversation = {
    messages,
    protectedCount: countLeadingInstructions(messages),
    tools,
    ...(isAbsent(request.tool_choice) ? {} : { toolChoice: request.tool_choice }),
    ...(instructions === undefined ? {} : { instructions: [instructions] }),
    ...(answerSchema === undefined ? {} : { schemas: [answerSchema] }),
  };
  return { conversation };
}

/** `text.format`, if it has a schema and is not only a word for plain text. */
function schemaOfAnswer({ text }: JsonObject): JsonObject | undefined {
  const format = isObject(text) ? text.format : undefined;
  return isObject(format) && isObject(format.schema) ? format : undefined;
}
