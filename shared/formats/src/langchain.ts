import { isAbsent, isObject, type Json, type JsonObject, type Steps } from '@preflight/core';
import { cutBlocks, noteBlocks, withoutThinking } from './blocks/edit-content.js';
import { replaceBlockFiles } from './blocks/replace-files.js';
import { countChatMessages } from './chat/request.js';
import { placeThinking } from './claude/thinking.js';
import type { Format, ParseResult } from './format.js';
import { IssueList } from './issue-list.js';
import { BLOCKS } from './langchain/content-blocks.js';
import { callsOf } from './langchain/message-calls.js';
import { formOf, placeOf, roleOf, systemMessage } from './langchain/message-form.js';
import { readMessages } from './langchain/read-messages.js';
import { countLeadingInstructions } from './leading-instructions.js';
import { applyListEdits, type EditableList, listEdits } from './list-edits.js';
import { type ListedDialect, listMessages } from './listed-messages.js';
import type { Path } from './value-at.js';

/** Messages of LangChain in the three forms in which they are written (formats.md §1, §2; @langchain/core 1.4). */
export const langchain = {
  name: 'langchain',
  description: 'is messages of LangChain, stored, as serialized constructors, or plain',
  flatFields: ['messages', 'tools', 'tool_choice'],
  detect: ({ messages }) => Array.isArray(messages) && messages.some(isPeculiar),
  messageCount: countChatMessages,
  parse,
  edits: (request, conversation, decision) => listEdits(request, { conversation, decision }, MESSAGES),
  apply: (request, edits) => applyListEdits(request, edits, MESSAGES),
  replaceFiles: (request, replace) => replaceBlockFiles(request, BLOCKS, replace, contentPath),
  canNoteAttachments: true,
  instructions: {
    list: 'messages',
    systemContent: (message) => {
      const form = formOf(message);
      const role = roleOf(form);
      return role === 'system' || role === 'developer' ? (form.fields.content ?? '') : undefined;
    },
    createMessage: systemMessage,
  },
  list: (request) => listMessages(request, LISTED),
} as const satisfies Format;

const LISTED: ListedDialect = {
  formOf: (message) => {
    const form = formOf(message);
    return {
      role: roleOf(form),
      rolePointer: `/${form.wordField}`,
      fields: form.fields,
      place: placeOf(form),
    };
  },
  callsOf: ({ fields, place }, issues) => callsOf(fields, place, issues),
};

const MESSAGES: EditableList = {
  list: 'messages',
  contentPath,
  cutContent: (content, texts, cut) => cutBlocks(content, { texts, cut, dialect: BLOCKS }),
  withAttachmentNotes: (content, noteAt) =>
    noteBlocks(content, noteAt, BLOCKS, (text) => ({ type: 'text', text })),
  withoutBound: (content) => withoutThinking(content, BLOCKS),
};

function contentPath(message: JsonObject): Path {
  const [field] = formOf(message).path;
  return field === undefined ? ['content'] : [field, 'content'];
}

function* parse(request: JsonObject, model?: string | undefined): Steps<ParseResult> {
  const issues = new IssueList();
  const read = yield* readMessages(request.messages, issues);
  const tools = issues.readObjects(request.tools, '/tools') ?? [];
  if (issues.issues.length > 0) return { issues: issues.issues };
  // Where the provider would be told what to do about bound thinking is up to the class that calls it.
  const { messages } = placeThinking(read, model, '');
  return {
    conversation: {
      messages,
      protectedCount: countLeadingInstructions(messages),
      resultsFollowCalls: true,
      tools,
      ...(isAbsent(request.tool_choice) ? {} : { toolChoice: request.tool_choice }),
    },
  };
}

/** Not plain; or plain with a type in place of a role, or with calls as only LangChain writes them. */
function isPeculiar(message: Json): boolean {
  if (!isObject(message)) return false;
  const { role, type, tool_calls: calls } = message;
  const { path, word } = formOf(message);
  if (path.length > 0) return word !== undefined;
  if (role === undefined) return (type === 'human' || type === 'ai') && message.content !== undefined;
  return Array.isArray(calls) && calls.some((call) => isObject(call) && isObject(call.args));
}
