import { isObject, isText, type Json, type JsonObject, type Steps } from '@preflight/core';
import type { BlockDialect, BlockKind } from './blocks/dialect.js';
import { cutBlocks, noteBlocks, withoutThinking } from './blocks/edit-content.js';
import { readBlockMessages } from './blocks/read-messages.js';
import { replaceBlockFiles } from './blocks/replace-files.js';
import { claudeMediaWords } from './claude/media.js';
import { refusesPrefill } from './claude/prefill-rule.js';
import { placeThinking, thinkingWarnings } from './claude/thinking.js';
import type { Format, ParseResult } from './format.js';
import { IssueList } from './issue-list.js';
import { countLeadingInstructions } from './leading-instructions.js';
import { applyListEdits, type EditableList, listEdits } from './list-edits.js';

/** What tells the provider to drop thinking that has become invalid. */
const MISMATCH_BEHAVIOR = '/thinking/block_binding/prefix_mismatch_behavior';

/** Anthropic's Messages (formats.md §1 to §3; types of @anthropic-ai/sdk 1.14, November 2026). */
export const anthropicMessages = {
  name: 'anthropic-messages',
  description: 'is Anthropic Messages, with `system` and blocks of content',
  flatFields: ['messages', 'system', 'tools', 'tool_choice'],
  detect,
  messageCount: ({ messages }) => (Array.isArray(messages) ? messages.length : 0),
  parse,
  edits: (request, conversation, decision) => listEdits(request, { conversation, decision }, MESSAGES),
  apply: (request, edits) => applyListEdits(request, edits, MESSAGES),
  replaceFiles: (request, replace) => replaceBlockFiles(request, DIALECT, replace),
  warnings: (edits) => thinkingWarnings(edits, MISMATCH_BEHAVIOR),
  canNoteAttachments: true,
  instructions: { field: 'system', create: (text) => text },
} as const satisfies Format;

const KINDS: Readonly<Record<string, BlockKind>> = {
  text: 'text',
  thinking: 'thinking',
  redacted_thinking: 'thinking',
  tool_use: 'call',
  tool_result: 'result',
  image: 'media',
  document: 'media',
  search_result: 'media',
};

const DIALECT: BlockDialect = {
  kindOf: ({ type }) => (typeof type === 'string' && Object.hasOwn(KINDS, type) && KINDS[type]) || 'other',
  callOf: ({ name, input }) => ({ function: { name: name ?? '', arguments: input ?? {} } }),
  callId: ({ id }) => id,
  resultId: ({ tool_use_id }) => tool_use_id,
  resultPath: () => ['content'],
  // A signature is no text. What is redacted counts as it is written, which is more than it was.
  thinkingOf: ({ thinking, data }) => [thinking, data],
  filesOf: ({ source }) =>
    isObject(source) && source.type === 'text' ? [] : [{ path: ['source', 'data'], form: 'base64' }],
  mediaOf: claudeMediaWords,
  emptiedResult: (result) => {
    // Only what is no error may have nothing to say.
    const { is_error, ...others } = result;
    return is_error === true ? others : result;
  },
  isStringContent: true,
};

const MESSAGES: EditableList = {
  list: 'messages',
  contentPath: () => ['content'],
  cutContent: (content, texts, cut) => cutBlocks(content, { texts, cut, dialect: DIALECT }),
  withAttachmentNotes: (content, noteAt) =>
    noteBlocks(content, noteAt, DIALECT, (text) => ({ type: 'text', text })),
  withoutBound: (content) => withoutThinking(content, DIALECT),
};

function* parse(request: JsonObject, model?: string | undefined): Steps<ParseResult> {
  const issues = new IssueList();
  const read = yield* readBlockMessages(request.messages, DIALECT, issues);
  const instructions = readSystem(request.system, issues);
  const tools = issues.readObjects(request.tools, '/tools') ?? [];
  if (issues.issues.length > 0) return { issues: issues.issues };
  const placed = placeThinking(read, model, MISMATCH_BEHAVIOR);
  const answerFormat = isObject(request.output_config) ? request.output_config.format : request.output_format;
  return {
    conversation: {
      ...placed,
      protectedCount: countLeadingInstructions(placed.messages),
      rolesAlternate: true,
      ...(refusesPrefill(model) && { endsWithUser: true }),
      tools,
      ...(isObject(request.tool_choice) && { toolChoice: request.tool_choice }),
      ...(instructions.length > 0 && { instructions }),
      ...(isObject(answerFormat) && { schemas: [answerFormat] }),
    },
  };
}

/** A string, or blocks of text. */
function readSystem(system: Json | undefined, issues: IssueList) {
  if (isText(system)) return [system];
  const blocks = issues.readObjects(system, '/system') ?? [];
  return blocks.flatMap(({ text }, index) => issues.readText(text, `/system/${index}/text`) ?? []);
}

/** `system` beside the messages, blocks that no other format has, or tools with an `input_schema`. */
function detect({ system, messages, tools }: JsonObject): boolean {
  if (isText(system) || listed(system).some((block) => isObject(block) && block.type === 'text')) return true;
  if (listed(tools).some((tool) => isObject(tool) && isObject(tool.input_schema))) return true;
  return listed(messages).some((message) => isObject(message) && listed(message.content).some(isPeculiar));
}

function isPeculiar(block: Json): boolean {
  if (!isObject(block)) return false;
  const kind = DIALECT.kindOf(block);
  return kind === 'media'
    ? isObject(block.source) || isText(block.source)
    : kind !== 'text' && kind !== 'other';
}

function listed(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
