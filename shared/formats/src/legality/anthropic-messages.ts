import { isObject, type JsonObject, type Steps } from '@preflight/core';
import { refusesPrefill } from '../claude/prefill-rule.js';
import { bytesOf, type Entry, idOf, type Part, partsOfContent, textPart } from './entry.js';
import { fileRules } from './file-rules.js';
import type { Legality, Rule } from './legality.js';
import { noBlankTexts, noEmptyLists, onlyFrom, rolesAre } from './rules/contents.js';
import { atMost, bodyAtMost, itemAtMost } from './rules/limits.js';
import { noPrefill, resultsBeforeText, rolesAlternate, systemBetweenTurns } from './rules/order.js';
import { resultsInNextMessage } from './rules/pairs.js';
import { thinkingIsSigned } from './rules/thinking.js';
import { hasField, modelIsOf, notOnlySystem } from './rules/whole-request.js';

const docs = (detail: string): Rule => ({ detail, source: 'platform.claude.com/docs', asOf: '2026-11' });
const threads = (detail: string, match?: string): Rule => ({
  detail,
  ...(match === undefined ? {} : { match }),
  source: 'public threads',
  asOf: '2026-11',
});

/** What Anthropic's Messages refuses (formats.md §1, §3, §5). Sizes of images in pixels are not looked at. */
export const anthropicMessagesLegality: Legality = {
  provider: 'Anthropic Messages',
  list: 'messages',
  read: readAnthropicEntry,
  rules: {
    malformed: docs('a message has the shape that its blocks ask for'),
    no_messages: docs('there is at least one message that is not the system’s'),
    missing_field: docs('the request says how much may be written: `max_tokens`'),
    model_of_another: {
      ...docs('the model is one of Anthropic’s; some gateways take others'),
      isAdvice: true,
    },
    unknown_role: docs('the role is user or assistant; system on the newest models'),
    ill_formed_string: docs('the body is JSON in UTF-8, which has no half surrogate pairs'),
    empty_content: docs('texts and contents are not empty, but for a last message of the assistant'),
    misplaced_media: docs('images and documents stand in messages of the user'),
    misplaced_part: docs('calls and thinking are the assistant’s, results stand in messages of the user'),
    ...fileRules(docs),
    other_image_type: {
      detail: 'an image is of the type that is stated, which is compared with its bytes',
      match: 'media type, but the image appears to be',
      source: 'BerriAI/litellm#24900, 1jehuang/jcode#465',
      asOf: '2026-11',
    },
    result_without_call: threads('a result answers a call of the message directly before', 'unexpected'),
    call_without_result: threads(
      'the message directly behind holds the results of all calls',
      'immediately after',
    ),
    results_split: threads(
      'all results of one turn of the assistant stand in one message',
      'immediately after',
    ),
    results_behind_text: threads('results stand before any text', 'immediately after'),
    reused_call_id: threads('no two calls of one message have the same id'),
    unsigned_thinking: { ...docs('thinking comes back with its signature'), match: 'Invalid `signature`' },
    prefill: { ...docs('from 4.6 on, the last message is not the assistant’s'), match: 'prefill' },
    misplaced_system: threads('a system message is not the first, and not between a call and its result'),
    roles_alternate: {
      ...threads(
        'roles alternate; the provider joins messages of one role, some gateways refuse them',
        'roles must alternate',
      ),
      isAdvice: true,
    },
    too_many_media: docs('at most 600 images in a request'),
    item_too_large: docs('an image has at most 10 MB of base64'),
    body_too_large: { ...docs('at most 32 MB in a request'), match: 'request_too_large' },
  },
  scans: [
    notOnlySystem('messages'),
    hasField('max_tokens'),
    modelIsOf('Anthropic'),
    rolesAre('system', 'user', 'assistant'),
    noEmptyLists,
    noBlankTexts,
    onlyFrom('misplaced_media', { media: ['user'], document: ['user'] }),
    onlyFrom('misplaced_part', { call: ['assistant'], thinking: ['assistant'], result: ['user'] }),
    resultsInNextMessage,
    resultsBeforeText,
    thinkingIsSigned,
    noPrefill(refusesPrefill),
    systemBetweenTurns,
    rolesAlternate,
    atMost(600, ['media'], 'messages'),
    itemAtMost(10_000_000, 'media'),
    bodyAtMost(32_000_000),
  ],
};

function* readAnthropicEntry({ role, content }: JsonObject): Steps<Entry> {
  return { role: idOf(role), parts: yield* partsOfContent(content, ['content'], readBlock) };
}

function readBlock(block: JsonObject, path: Part['path']): Part {
  switch (block.type) {
    case 'text':
      return textPart(block.text, path);
    case 'image':
      return { kind: 'media', path, bytes: isObject(block.source) ? bytesOf(block.source.data) : 0 };
    case 'document':
      return { kind: 'document', path };
    case 'tool_use':
      return { kind: 'call', path, id: idOf(block.id) };
    case 'tool_result':
      return { kind: 'result', path, id: idOf(block.tool_use_id) };
    case 'thinking':
      return { kind: 'thinking', path, isSigned: bytesOf(block.signature) > 0 };
    case 'redacted_thinking':
      return { kind: 'thinking', path };
    default:
      return { kind: 'other', path };
  }
}
