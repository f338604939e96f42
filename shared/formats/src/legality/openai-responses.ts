import { isAbsent, isText, type JsonObject, type Steps } from '@preflight/core';
import { bytesOf, type Entry, idOf, type Part, partsOfContent, textPart } from './entry.js';
import { fileRules } from './file-rules.js';
import type { Legality, Rule } from './legality.js';
import { noEmptyLists, onlyFrom, rolesAre } from './rules/contents.js';
import { atMost, bodyAtMost, FILE_BYTES, itemAtMost } from './rules/limits.js';
import { resultsAnywhere } from './rules/pairs.js';
import { reasoningWithFollower } from './rules/thinking.js';
import { modelIsOf, notEmpty } from './rules/whole-request.js';

const types = (detail: string): Rule => ({
  detail,
  source: 'types of the client openai 6.49',
  asOf: '2026-11',
});
const docs = (detail: string): Rule => ({ detail, source: 'platform.openai.com/docs', asOf: '2026-11' });

/** What Responses refuses of its items (formats.md §1, §3, §5). */
export const openaiResponsesLegality: Legality = {
  provider: 'OpenAI Responses',
  list: 'input',
  read: readItem,
  rules: {
    malformed: types('an item has the shape that its type asks for'),
    model_of_another: {
      ...docs('the model is one of OpenAI’s; gateways and compatible servers take others'),
      isAdvice: true,
    },
    no_messages: docs('there is at least one item, or a text in place of the list'),
    unknown_role: types('the role is system, developer, user or assistant'),
    ill_formed_string: docs('the body is JSON in UTF-8, which has no half surrogate pairs'),
    empty_content: docs('a message has content and a result its output, which is no empty list'),
    misplaced_media: types('images and files stand in messages of the user, and in outputs'),
    ...fileRules(types, {
      invalid_base64: { match: 'Invalid base64', source: 'Azure/azure-sdk-for-java#41670' },
      other_media_kind: { match: 'unsupported image', source: 'openai/openai-node#1463' },
    }),
    result_without_call: {
      detail: 'an output has its call before it',
      match: 'No tool call found',
      source: 'nextcloud/context_agent#140',
      asOf: '2026-11',
    },
    call_without_result: {
      detail: 'a call has its output behind it',
      match: 'No tool output found',
      source: 'nextcloud/context_agent#140',
      asOf: '2026-11',
    },
    reused_call_id: docs('no two open calls have the same id'),
    reasoning_alone: {
      detail: 'a reasoning item and the item after it travel together',
      match: 'without its required',
      source: 'public threads',
      asOf: '2026-11',
    },
    item_too_large: docs('a file has at most 50 MB'),
    too_many_media: docs('at most 1,500 images in a request'),
    body_too_large: docs('at most 512 MB in a request'),
  },
  scans: [
    modelIsOf('OpenAI'),
    notEmpty('input', (request) => isText(request.input) || !isAbsent(request.prompt) || isGoingOn(request)),
    rolesAre('system', 'user', 'assistant', 'tool'),
    noEmptyLists,
    onlyFrom('misplaced_media', {
      media: ['user', 'system', 'tool'],
      document: ['user', 'system', 'tool'],
    }),
    resultsAnywhere(isGoingOn),
    reasoningWithFollower,
    atMost(1_500, ['media'], 'input'),
    itemAtMost(FILE_BYTES, 'document'),
    bodyAtMost(512_000_000),
  ],
};

/** What comes first is kept by the provider. */
function isGoingOn(request: JsonObject): boolean {
  return !isAbsent(request.previous_response_id) || !isAbsent(request.conversation);
}

/** A message, whose type may be left out, or what the model did and what came back. */
function* readItem(item: JsonObject): Steps<Entry> {
  const type = idOf(item.type);
  if (type === 'message' || (type === '' && item.role !== undefined)) {
    const role = idOf(item.role);
    const parts = yield* partsOfContent(item.content, ['content'], readPart);
    return { role: role === 'developer' ? 'system' : role, parts };
  }
  if (type === 'reasoning') return { role: 'assistant', parts: [{ kind: 'thinking', path: [] }] };
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    const output = yield* partsOfContent(item.output, ['output'], readPart);
    return { role: 'tool', parts: [{ kind: 'result', path: [], id: idOf(item.call_id) }, ...output] };
  }
  const isCall = type === 'function_call' || type === 'custom_tool_call';
  if (isCall) return { role: 'assistant', parts: [{ kind: 'call', path: [], id: idOf(item.call_id) }] };
  // What the provider's own tools did; anything else is taken for something of the kind.
  return { role: type.endsWith('_output') ? 'tool' : 'assistant', parts: [{ kind: 'other', path: [] }] };
}

function readPart(part: JsonObject, path: Part['path']): Part {
  if (part.type === 'input_image') return { kind: 'media', path };
  if (part.type === 'input_file') return { kind: 'document', path, bytes: bytesOf(part.file_data) };
  return textPart(part.text ?? part.refusal, path);
}
