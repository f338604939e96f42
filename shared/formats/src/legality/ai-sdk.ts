import type { JsonObject, Steps } from '@preflight/core';
import { type Entry, idOf, type Part, partsOfContent, textPart } from './entry.js';
import { fileRules } from './file-rules.js';
import type { Legality, Rule } from './legality.js';
import { noEmptyLists, onlyFrom, rolesAre } from './rules/contents.js';
import { resultsFollow } from './rules/pairs.js';
import { notEmpty } from './rules/whole-request.js';

const types = (detail: string): Rule => ({ detail, source: 'types of ai 6.0 and 7.0', asOf: '2026-11' });

/** What the AI SDK refuses to send (formats.md §1, §2, §3). A UI part holds a call together with its result. */
export const aiSdkLegality: Legality = {
  provider: 'Vercel AI SDK',
  list: 'messages',
  read: readAiSdkEntry,
  rules: {
    malformed: types('a message has the shape that its role asks for'),
    no_messages: types('there is at least one message'),
    unknown_role: types('the role is system, user or assistant; tool in model messages'),
    ill_formed_string: types('the body is JSON in UTF-8, which has no half surrogate pairs'),
    empty_content: types('a message has parts, or content, which is no empty list'),
    misplaced_part: types('calls are made by the assistant'),
    ...fileRules(types),
    result_without_call: types('a result answers a call of the message before'),
    call_without_result: {
      ...types('a call without a result throws before anything is sent'),
      match: 'MissingToolResultsError',
    },
    reused_call_id: types('no two open calls have the same id'),
  },
  scans: [
    notEmpty('messages'),
    rolesAre('system', 'user', 'assistant', 'tool'),
    noEmptyLists,
    onlyFrom('misplaced_part', { call: ['assistant'], result: ['tool', 'assistant'] }),
    resultsFollow,
  ],
};

function* readAiSdkEntry({ role, content, parts }: JsonObject): Steps<Entry> {
  if (parts === undefined)
    return { role: idOf(role), parts: yield* partsOfContent(content, ['content'], readPart) };
  // UI messages have no role for tools.
  const neutral = role === 'tool' ? 'tool (in a UI message)' : idOf(role);
  return { role: neutral, parts: yield* partsOfContent(parts, ['parts'], readUiPart) };
}

function readPart(part: JsonObject, path: Part['path']): Part {
  const id = idOf(part.toolCallId);
  if (part.type === 'text') return textPart(part.text, path);
  if (part.type === 'reasoning') return { kind: 'thinking', path };
  // What the provider's own tools did comes back in the same message, or later.
  if (part.type === 'tool-call' && part.providerExecuted !== true) return { kind: 'call', path, id };
  if (part.type === 'tool-result') return { kind: 'result', path, id };
  const approvalId = idOf(part.approvalId);
  if (part.type === 'tool-approval-request') return { kind: 'other', path, id, approvalId };
  if (part.type === 'tool-approval-response') return { kind: 'other', path, approvalId };
  return { kind: part.type === 'image' || part.type === 'file' ? 'media' : 'other', path };
}

/** It has its output, the user has decided on it so that it is made next, or it is not yet written and not sent. */
function isSettled(state: string): boolean {
  return state.startsWith('output-') || state === 'approval-responded' || state === 'input-streaming';
}

/** A call that is still waiting for its output is one without a result; one that has it is neither. */
function readUiPart(part: JsonObject, path: Part['path']): Part {
  const type = idOf(part.type);
  if (type === 'text') return textPart(part.text, path);
  if (type === 'reasoning') return { kind: 'thinking', path };
  if (type === 'file') return { kind: 'media', path };
  const isTool = (type.startsWith('tool-') || type === 'dynamic-tool') && part.providerExecuted !== true;
  const isOpen = isTool && !isSettled(idOf(part.state));
  return isOpen ? { kind: 'call', path, id: idOf(part.toolCallId) } : { kind: 'other', path };
}
