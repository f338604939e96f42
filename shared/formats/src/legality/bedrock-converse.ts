import { isAbsent, isObject, type JsonObject, type Steps } from '@preflight/core';
import { bytesOf, type Entry, idOf, type Part, partsOfContent, textPart } from './entry.js';
import { fileRules } from './file-rules.js';
import type { Legality, Rule } from './legality.js';
import { noBlankTexts, noEmptyLists, onlyFrom, rolesAre } from './rules/contents.js';
import { atMost, itemAtMost } from './rules/limits.js';
import { documentsWithText, rolesAlternate, startsWithUser } from './rules/order.js';
import { resultsInNextMessage } from './rules/pairs.js';
import { notEmpty } from './rules/whole-request.js';

const docs = (detail: string): Rule => ({
  detail,
  match: 'ValidationException',
  source: 'docs.aws.amazon.com/bedrock, types of client-bedrock-runtime 3.1164',
  asOf: '2026-11',
});

/** What Bedrock's Converse refuses (formats.md §1, §3, §5). */
export const bedrockConverseLegality: Legality = {
  provider: 'Bedrock Converse',
  list: 'messages',
  read: readConverseEntry,
  rules: {
    malformed: docs('a message has the shape that its blocks ask for'),
    no_messages: docs('there is at least one message'),
    unknown_role: docs('the role is user or assistant'),
    ill_formed_string: docs('the body is JSON in UTF-8, which has no half surrogate pairs'),
    empty_content: docs('contents and their texts are not empty'),
    misplaced_media: docs('media stand in messages of the user'),
    misplaced_part: docs('calls are the assistant’s, results stand in messages of the user'),
    starts_with_user: docs('the first message is the user’s'),
    ...fileRules(docs),
    result_without_call: docs('results answer calls of the turn before'),
    call_without_result: docs('results stand in the next message of the user'),
    results_split: docs('all results of one turn stand in the next message of the user'),
    reused_call_id: docs('no two calls of one message have the same id'),
    document_alone: docs('a document has a text block next to it'),
    roles_alternate: {
      ...docs('roles alternate; some models behind it join messages of one role, others refuse them'),
      isAdvice: true,
    },
    too_many_media: docs('at most 5 documents in a request'),
    item_too_large: docs('a document that is no PDF has at most 4.5 MB'),
  },
  scans: [
    notEmpty('messages'),
    rolesAre('user', 'assistant'),
    noEmptyLists,
    noBlankTexts,
    onlyFrom('misplaced_media', { media: ['user'], document: ['user'] }),
    onlyFrom('misplaced_part', { call: ['assistant'], result: ['user'] }),
    startsWithUser,
    resultsInNextMessage,
    documentsWithText,
    rolesAlternate,
    atMost(5, ['document'], 'messages'),
    itemAtMost(6_000_000, 'document'),
  ],
};

function* readConverseEntry({ role, content }: JsonObject): Steps<Entry> {
  return { role: idOf(role), parts: yield* partsOfContent(content, ['content'], readBlock) };
}

function readBlock(block: JsonObject, path: Part['path']): Part {
  if (block.text !== undefined) return textPart(block.text, path);
  // What the provider's own tools did says so by a type, and is answered in the same message.
  if (isObject(block.toolUse) && isAbsent(block.toolUse.type))
    return { kind: 'call', path, id: idOf(block.toolUse.toolUseId) };
  if (isObject(block.toolResult) && isAbsent(block.toolResult.type))
    return { kind: 'result', path, id: idOf(block.toolResult.toolUseId) };
  if (isObject(block.document)) {
    const { format, source } = block.document;
    // PDFs are exempt for newer models, which decide.
    const isCounted = format !== 'pdf' && isObject(source);
    return { kind: 'document', path, bytes: isCounted ? bytesOf(source.bytes) : 0 };
  }
  const isMedia = isObject(block.image) || isObject(block.video) || isObject(block.audio);
  return { kind: isMedia ? 'media' : 'other', path };
}
