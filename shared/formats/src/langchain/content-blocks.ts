import { isObject, type JsonObject } from '@preflight/core';
import type { BlockDialect, BlockKind } from '../blocks/dialect.js';
import { CHAT_FILE_FIELDS, type FileField } from '../files/file-fields.js';
import { blockMediaWords } from './block-media.js';

/** Standard blocks of LangChain in the spellings of JavaScript and Python, and blocks in the shapes of providers. */
const KINDS: Readonly<Record<string, BlockKind>> = {
  text: 'text',
  'text-plain': 'text',
  reasoning: 'thinking',
  thinking: 'thinking',
  redacted_thinking: 'thinking',
  tool_call: 'call',
  tool_use: 'call',
  function_call: 'call',
  invalid_tool_call: 'call',
  tool_result: 'result',
  image: 'media',
  audio: 'media',
  video: 'media',
  file: 'media',
  image_url: 'media',
  input_image: 'media',
  input_audio: 'media',
  input_file: 'media',
  document: 'media',
  media: 'media',
};

const STANDARD_FILES: readonly FileField[] = [
  { path: ['data'], form: 'base64', takesUri: true },
  { path: ['base64'], form: 'base64', takesUri: true },
];
const SOURCE_FILES: readonly FileField[] = [{ path: ['source', 'data'], form: 'base64', takesUri: true }];
const CHAT_TYPES: ReadonlySet<unknown> = new Set(CHAT_FILE_FIELDS.map(({ path: [type] }) => type));

/** A text block without a text, such as a document by its URL, is none. */
function kindOf(block: JsonObject): BlockKind {
  const { type } = block;
  if (type === 'text-plain' && block.text === undefined) return 'media';
  return typeof type === 'string' && Object.hasOwn(KINDS, type) ? (KINDS[type] as BlockKind) : 'other';
}

/** Blocks of a message whose calls stand nowhere else. */
export const BLOCKS: BlockDialect = {
  kindOf,
  callOf: ({ name, args, input, arguments: given }) => ({
    name: name ?? '',
    arguments: args ?? input ?? given ?? '',
  }),
  callId: ({ id, call_id: callId }) => callId ?? id,
  resultId: ({ tool_use_id: id }) => id,
  resultPath: () => ['content'],
  thinkingOf: ({ reasoning, thinking, data }) => [reasoning, thinking, data],
  filesOf: (block) => {
    if (CHAT_TYPES.has(block.type) && isObject(block[block.type as string])) return CHAT_FILE_FIELDS;
    return isObject(block.source) ? SOURCE_FILES : STANDARD_FILES;
  },
  mediaOf: blockMediaWords,
  emptiedResult: (block) => block,
  isStringContent: true,
  isStringBlock: true,
};

/** Blocks of a message that lists its calls as well: those in the content are the same once more. */
export const BLOCKS_BESIDE_CALLS: BlockDialect = {
  ...BLOCKS,
  kindOf: (block) => {
    const kind = kindOf(block);
    return kind === 'call' ? 'none' : kind;
  },
};
