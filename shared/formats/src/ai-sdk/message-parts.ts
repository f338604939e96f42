import { isObject, isText, type Json, type JsonObject } from '@preflight/core';
import type { BlockDialect, BlockKind } from '../blocks/dialect.js';
import type { FileField } from '../files/file-fields.js';
import type { Path } from '../value-at.js';
import { partMediaWords } from './part-media.js';

/** Parts of model messages, of their results, and those of UI messages that are no tools. */
const KINDS: Readonly<Record<string, BlockKind>> = {
  text: 'text',
  reasoning: 'thinking',
  image: 'media',
  file: 'media',
  'reasoning-file': 'media',
  media: 'media',
  'image-data': 'media',
  'image-url': 'media',
  'image-file-id': 'media',
  'file-data': 'media',
  'file-url': 'media',
  'file-id': 'media',
  'tool-call': 'call',
  'tool-result': 'result',
  // For the program alone: not sent to the model.
  'step-start': 'none',
  'source-url': 'none',
  'source-document': 'none',
  source: 'none',
  'tool-approval-request': 'none',
  'tool-approval-response': 'none',
};

const FILES: readonly FileField[] = [
  { path: ['image'], form: 'base64', takesUri: true },
  { path: ['data'], form: 'base64', takesUri: true },
  { path: ['url'], form: 'data_uri' },
];
/** Since version 7 data may say of what kind it is. */
const TYPED_FILES: readonly FileField[] = [{ path: ['data', 'data'], form: 'base64', takesUri: true }];

/** A part of a UI message with a call, and its result as soon as there is one. */
function isUiTool({ type, state }: JsonObject): boolean {
  if (typeof type !== 'string' || typeof state !== 'string') return false;
  return type === 'dynamic-tool' || type.startsWith('tool-');
}

export const PARTS: BlockDialect = {
  kindOf: (part) => {
    const { type } = part;
    if (typeof type !== 'string') return 'other';
    // What is not yet written to its end is not sent.
    if (isUiTool(part)) return part.state === 'input-streaming' ? 'none' : 'exchange';
    if (type.startsWith('data-')) return 'none';
    return Object.hasOwn(KINDS, type) ? (KINDS[type] as BlockKind) : 'other';
  },
  callOf: ({ type, toolName, input, args, rawInput }) => ({
    name: toolName ?? (isText(type) ? nameIn(type) : ''),
    arguments: input ?? args ?? rawInput ?? {},
  }),
  callId: ({ toolCallId }) => toolCallId,
  resultId: ({ toolCallId }) => toolCallId,
  isOfProvider: ({ providerExecuted }) => providerExecuted === true,
  approvalOf: ({ type, approvalId, toolCallId }) => {
    if (type === 'tool-approval-request') return { approvalId, callId: toolCallId };
    return type === 'tool-approval-response' ? { approvalId } : undefined;
  },
  isAnswered: ({ state }) => typeof state === 'string' && state.startsWith('output-'),
  resultPath,
  resultData: (part) => (isUiTool(part) ? part.output : (part.output ?? part.result)),
  thinkingOf: ({ text }) => [text],
  filesOf: ({ data }) => (isObject(data) && data.type !== undefined ? TYPED_FILES : FILES),
  mediaOf: partMediaWords,
  emptiedResult: (part) => part,
  isStringContent: true,
};

/** Text that a tool gave back: alone, as what went wrong, or as a list of parts. */
function resultPath(part: JsonObject): Path | undefined {
  const { output, errorText } = part;
  if (isUiTool(part)) {
    if (isText(errorText)) return ['errorText'];
    return isText(output) ? ['output'] : undefined;
  }
  if (!isObject(output)) return undefined;
  const { type, value } = output;
  const isCuttable = type === 'content' ? Array.isArray(value) : isText(value) && type !== 'json';
  return isCuttable ? ['output', 'value'] : undefined;
}

function nameIn(type: Json): Json {
  return typeof type === 'string' ? type.slice('tool-'.length) : type;
}
