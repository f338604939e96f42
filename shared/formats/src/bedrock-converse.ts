import { isObject, type Json, type JsonObject, type Steps } from '@preflight/core';
import type { BlockDialect, BlockKind } from './blocks/dialect.js';
import { cutBlocks, noteBlocks, withoutThinking } from './blocks/edit-content.js';
import { readBlockMessages } from './blocks/read-messages.js';
import { replaceBlockFiles } from './blocks/replace-files.js';
import { placeThinking, thinkingWarnings } from './claude/thinking.js';
import { converseMediaWords } from './converse-media.js';
import type { FileField } from './files/file-fields.js';
import type { Format, ParseResult } from './format.js';
import { IssueList } from './issue-list.js';
import { applyListEdits, type EditableList, listEdits } from './list-edits.js';

/** What tells Claude on Bedrock to drop thinking that has become invalid: fields of a model's own are passed on. */
const MISMATCH_BEHAVIOR = '/additionalModelRequestFields/thinking/block_binding/prefix_mismatch_behavior';

/** Amazon Bedrock's Converse (formats.md §1 to §3; types of client-bedrock-runtime 3.1164, November 2026). */
export const bedrockConverse = {
  name: 'bedrock-converse',
  description: 'is Bedrock Converse, with blocks that are named by their key',
  flatFields: ['messages', 'system'],
  detect,
  messageCount: ({ messages }) => (Array.isArray(messages) ? messages.length : 0),
  maxOutput: ({ inferenceConfig }) => (isObject(inferenceConfig) ? inferenceConfig.maxTokens : undefined),
  parse,
  edits: (request, conversation, decision) => listEdits(request, { conversation, decision }, MESSAGES),
  apply: (request, edits) => applyListEdits(request, edits, MESSAGES),
  replaceFiles: (request, replace) => replaceBlockFiles(request, DIALECT, replace),
  warnings: (edits) => thinkingWarnings(edits, MISMATCH_BEHAVIOR),
  canNoteAttachments: true,
  instructions: { field: 'system', create: (text) => [{ text }] },
} as const satisfies Format;

/** By the one key that a block has. */
const KINDS: readonly (readonly [key: string, kind: BlockKind])[] = [
  ['text', 'text'],
  ['toolUse', 'call'],
  ['toolResult', 'result'],
  ['reasoningContent', 'thinking'],
  ['image', 'media'],
  ['document', 'media'],
  ['video', 'media'],
  ['audio', 'media'],
  ['searchResult', 'media'],
  ['cachePoint', 'none'],
];

const FILES: readonly FileField[] = ['image', 'document', 'video', 'audio'].map((key) => ({
  path: [key, 'source', 'bytes'],
  form: 'base64',
}));

const DIALECT: BlockDialect = {
  kindOf: (block) => KINDS.find(([key]) => block[key] !== undefined)?.[1] ?? 'other',
  callOf: ({ toolUse }) => {
    const { name = '', input = {} } = isObject(toolUse) ? toolUse : {};
    return { function: { name, arguments: input } };
  },
  callId: ({ toolUse }) => idIn(toolUse),
  resultId: ({ toolResult }) => idIn(toolResult),
  isOfProvider: ({ toolUse }) => isObject(toolUse) && toolUse.type === 'server_tool_use',
  resultPath: () => ['toolResult', 'content'],
  thinkingOf: ({ reasoningContent: reasoning }) => {
    if (!isObject(reasoning)) return [];
    const { reasoningText, redactedContent } = reasoning;
    return [isObject(reasoningText) ? reasoningText.text : undefined, redactedContent];
  },
  filesOf: () => FILES,
  mediaOf: converseMediaWords,
  emptiedResult: (block) => {
    // Only what is no error may have nothing to say.
    const { status, ...others } = block.toolResult as JsonObject;
    return status === 'error' ? { ...block, toolResult: others } : block;
  },
  isStringContent: false,
};

const MESSAGES: EditableList = {
  list: 'messages',
  contentPath: () => ['content'],
  cutContent: (content, texts, cut) => cutBlocks(content, { texts, cut, dialect: DIALECT }),
  withAttachmentNotes: (content, noteAt) => noteBlocks(content, noteAt, DIALECT, (text) => ({ text })),
  withoutBound: (content) => withoutThinking(content, DIALECT),
};

function idIn(held: Json | undefined): Json | undefined {
  return isObject(held) ? held.toolUseId : undefined;
}

function* parse(request: JsonObject, model?: string | undefined): Steps<ParseResult> {
  const issues = new IssueList();
  const read = yield* readBlockMessages(request.messages, DIALECT, issues);
  const system = issues.readObjects(request.system, '/system') ?? [];
  const instructions = system.flatMap(
    ({ text }, index) => issues.readText(text, `/system/${index}/text`) ?? [],
  );
  const toolConfig = issues.readObject(request.toolConfig, '/toolConfig');
  const tools = issues.readObjects(toolConfig?.tools, '/toolConfig/tools') ?? [];
  if (issues.issues.length > 0) return { issues: issues.issues };
  const answerFormat = isObject(request.outputConfig) ? request.outputConfig.textFormat : undefined;
  return {
    conversation: {
      ...placeThinking(read, model, MISMATCH_BEHAVIOR),
      protectedCount: 0,
      rolesAlternate: true,
      startsWithUser: true,
      tools: tools.filter(({ cachePoint }) => cachePoint === undefined),
      ...(isObject(toolConfig?.toolChoice) && { toolChoice: toolConfig.toolChoice }),
      ...(instructions.length > 0 && { instructions }),
      ...(isObject(answerFormat) && { schemas: [answerFormat] }),
    },
  };
}

/** Fields that no other format has, or blocks that are told apart by a key and not by a type. */
function detect({ system, messages, toolConfig, inferenceConfig, modelId }: JsonObject): boolean {
  if (!Array.isArray(messages)) return false;
  if ([toolConfig, inferenceConfig].some(isObject) || typeof modelId === 'string') return true;
  const isOfKey = (block: Json) =>
    isObject(block) && block.type === undefined && DIALECT.kindOf(block) !== 'other';
  if (Array.isArray(system) && system.some(isOfKey)) return true;
  return messages.some(
    (message) => isObject(message) && Array.isArray(message.content) && message.content.some(isOfKey),
  );
}
