import { readChatEntry } from './chat-entry.js';
import { fileRules } from './file-rules.js';
import type { Legality, Rule } from './legality.js';
import { noEmptyLists, noMalformedParts, onlyFrom, rolesAre } from './rules/contents.js';
import { atMost, bodyAtMost, FILE_BYTES, itemAtMost } from './rules/limits.js';
import { resultsFollow } from './rules/pairs.js';
import { modelIsOf, notEmpty } from './rules/whole-request.js';

const types = (detail: string): Rule => ({
  detail,
  source: 'types of the client openai 6.49',
  asOf: '2026-11',
});
const docs = (detail: string): Rule => ({ detail, source: 'platform.openai.com/docs', asOf: '2026-11' });

/** What Chat Completions refuses (formats.md §1, §3, §5). Two messages of one role behind each other are taken. */
export const openaiChatLegality: Legality = {
  provider: 'OpenAI Chat Completions',
  list: 'messages',
  read: readChatEntry,
  rules: {
    malformed: types('a message has the shape that its role asks for; an image stands in `image_url.url`'),
    model_of_another: {
      ...docs('the model is one of OpenAI’s; gateways and compatible servers take others'),
      isAdvice: true,
    },
    no_messages: docs('there is at least one message'),
    unknown_role: types('the role is system, developer, user, assistant, tool or function'),
    ill_formed_string: docs('the body is JSON in UTF-8, which has no half surrogate pairs'),
    empty_content: docs(
      'a message has content, which is no empty list; of the assistant, calls may stand in its place',
    ),
    misplaced_media: types('images, files and sound stand in messages of the user only'),
    misplaced_part: types('calls are made by the assistant'),
    ...fileRules(types, {
      invalid_base64: { match: 'Invalid base64', source: 'Azure/azure-sdk-for-java#41670' },
      other_media_kind: { match: 'unsupported image', source: 'openai/openai-node#1463' },
    }),
    result_without_call: {
      detail: 'a `tool` message follows an assistant message that holds its id',
      match: 'must be a response to a preceeding message',
      source: 'BerriAI/litellm#4931, microsoft/semantic-kernel#12708, run-llama/llama_index#16214',
      asOf: '2026-11',
    },
    call_without_result: {
      detail: 'every call id is answered before the next message that is no result',
      match: 'did not have response messages',
      source: 'public threads',
      asOf: '2026-11',
    },
    reused_call_id: docs('no two open calls have the same id'),
    item_too_large: docs('a file has at most 50 MB'),
    too_many_media: docs('at most 1,500 images in a request'),
    body_too_large: docs('at most 512 MB in a request'),
  },
  scans: [
    modelIsOf('OpenAI'),
    notEmpty('messages'),
    rolesAre('system', 'user', 'assistant', 'tool'),
    noEmptyLists,
    noMalformedParts,
    onlyFrom('misplaced_media', { media: ['user'], document: ['user'] }),
    onlyFrom('misplaced_part', { call: ['assistant'] }),
    resultsFollow,
    atMost(1_500, ['media'], 'messages'),
    itemAtMost(FILE_BYTES, 'document'),
    bodyAtMost(512_000_000),
  ],
};
