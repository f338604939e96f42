import { type Conversation, isAbsent, isObject, type JsonObject, type Steps } from '@preflight/core';
import type { Format, ParseResult } from './format.js';
import { applyContentEdits, contentEdits } from './gemini/content-edits.js';
import { replaceContentFiles } from './gemini/content-files.js';
import { readContents } from './gemini/read-contents.js';
import { readInstruction } from './gemini/read-instruction.js';
import { readToolChoice, readTools } from './gemini/read-tools.js';
import { asksForSignatures } from './gemini/signature-rule.js';
import { spelledField, spellingIn } from './gemini/spelling.js';
import { IssueList } from './issue-list.js';

/** Gemini's generateContent, in camelCase or in snake_case (formats.md §1, §2; types of @google/genai 2.32, November 2026). */
export const gemini = {
  name: 'gemini',
  description: 'is generateContent: `contents` with `parts`, `systemInstruction` beside them',
  flatFields: [],
  detect: ({ contents, messages }) => !isAbsent(contents) && (Array.isArray(contents) || isAbsent(messages)),
  maxOutput: (request) => spelledField(generationConfig(request), 'maxOutputTokens'),
  messageCount: ({ contents }) => (Array.isArray(contents) ? contents.length : 0),
  parse: parseGeminiRequest,
  edits: contentEdits,
  apply: applyContentEdits,
  replaceFiles: replaceContentFiles,
  canNoteAttachments: true,
  instructions: {
    field: (request) => spellingIn(request, 'systemInstruction'),
    create: (text) => ({ parts: [{ text }] }),
  },
  providerState: (request) =>
    isAbsent(spelledField(request, 'cachedContent')) ? [] : [spellingIn(request, 'cachedContent')],
} as const satisfies Format;

function* parseGeminiRequest(request: JsonObject, model?: string | undefined): Steps<ParseResult> {
  const issues = new IssueList('contents');
  const resolution = spelledField(generationConfig(request), 'mediaResolution');
  const messages = yield* readContents(
    request.contents,
    issues,
    typeof resolution === 'string' ? resolution : undefined,
  );
  const instructions = yield* readInstruction(request, issues);
  const tools = yield* readTools(issues.readObjects(request.tools, '/tools') ?? []);
  if (issues.issues.length > 0) return { issues: issues.issues };
  const toolChoice = readToolChoice(request);
  const answerSchema = schemaOfAnswer(request);
  const conversation: Conversation = {
    messages,
    protectedCount: 0,
    rolesAlternate: true,
    callsFollowUser: true,
    ...(asksForSignatures(model) && { callsAreSigned: true }),
    tools,
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(instructions.length === 0 ? {} : { instructions }),
    ...(answerSchema === undefined ? {} : { schemas: [answerSchema] }),
  };
  return { conversation };
}

function schemaOfAnswer(request: JsonObject): JsonObject | undefined {
  const config = generationConfig(request);
  const schema = spelledField(config, 'responseSchema') ?? spelledField(config, 'responseJsonSchema');
  return isObject(schema) ? schema : undefined;
}

function generationConfig(request: JsonObject): JsonObject {
  const config = spelledField(request, 'generationConfig');
  return isObject(config) ? config : {};
}
