import { isObject, type Json, type JsonObject, type Steps } from '@preflight/core';
import { asksForSignatures } from '../gemini/signature-rule.js';
import { type Entry, idOf, type Part, partsOfContent, textPart } from './entry.js';
import { fileRules } from './file-rules.js';
import type { Legality, Rule } from './legality.js';
import { noEmptyLists, onlyFrom, rolesAre } from './rules/contents.js';
import { atMost, bodyAtMost } from './rules/limits.js';
import { resultsInNextMessage } from './rules/pairs.js';
import { callsAreSigned, callsBehindUser } from './rules/thinking.js';
import { modelIsOf, notEmpty } from './rules/whole-request.js';

const types = (detail: string): Rule => ({
  detail,
  source: 'types of the client @google/genai 2.32',
  asOf: '2026-11',
});
const docs = (detail: string): Rule => ({ detail, source: 'ai.google.dev/gemini-api/docs', asOf: '2026-11' });

/** What generateContent refuses (formats.md §1, §3, §5). */
export const geminiLegality: Legality = {
  provider: 'Gemini generateContent',
  list: 'contents',
  read: readContent,
  rules: {
    malformed: types('a content has the shape that its parts ask for'),
    model_of_another: { ...docs('the model is one of Google’s; some gateways take others'), isAdvice: true },
    no_messages: docs('there is at least one content'),
    unknown_role: types('the role is user or model'),
    ill_formed_string: docs('the body is JSON in UTF-8, which has no half surrogate pairs'),
    empty_content: docs('a content has at least one part'),
    misplaced_part: types('calls are the model’s, responses stand in contents of the user'),
    ...fileRules(types),
    result_without_call: {
      detail: 'there are as many responses as the model turn directly before has calls',
      match: 'number of function response parts',
      source: 'continuedev/continue#9562',
      asOf: '2026-11',
    },
    call_without_result: {
      detail: 'all calls of a model turn are answered together, directly behind it',
      match: 'number of function response parts',
      source: 'continuedev/continue#9562',
      asOf: '2026-11',
    },
    results_split: {
      detail: 'all calls of a model turn are answered together, in one content',
      match: 'number of function response parts',
      source: 'continuedev/continue#9562',
      asOf: '2026-11',
    },
    reused_call_id: docs('no two calls of one turn have the same id'),
    call_turn_order: {
      detail: 'a turn with calls comes directly behind a turn of the user or a response, and never first',
      match: 'function call turn comes immediately after',
      source: 'public threads',
      asOf: '2026-11',
    },
    missing_signature: {
      detail:
        'from Gemini 3 on, the first call of each step of the turn under way keeps its thought signature',
      match: 'missing a thought_signature',
      source: 'langgenius/dify-official-plugins#2088',
      asOf: '2026-11',
    },
    too_many_media: docs('at most 3,600 images in a request'),
    body_too_large: docs('at most 100 MB in a request'),
  },
  scans: [
    modelIsOf('Google'),
    notEmpty('contents'),
    rolesAre('user', 'assistant'),
    noEmptyLists,
    onlyFrom('misplaced_part', { call: ['assistant'], result: ['user'] }),
    resultsInNextMessage,
    callsBehindUser,
    callsAreSigned(asksForSignatures),
    atMost(3_600, ['media'], 'contents'),
    bodyAtMost(100_000_000),
  ],
};

const ROLES: Readonly<Record<string, string>> = { user: 'user', model: 'assistant' };

/** A content; who speaks is the user if nobody is named. */
function* readContent({ role, parts }: JsonObject): Steps<Entry> {
  const ids = new IdsByName();
  return {
    role: role === undefined ? 'user' : (ROLES[idOf(role)] ?? `unknown: ${idOf(role)}`),
    parts: yield* partsOfContent(parts, ['parts'], (part, path) => readPart(part, path, ids)),
  };
}

function readPart(part: JsonObject, path: Part['path'], ids: IdsByName): Part {
  const call = either(part, 'functionCall', 'function_call');
  if (isObject(call)) {
    const signature = either(part, 'thoughtSignature', 'thought_signature');
    const isSigned = signature !== undefined && signature !== null && signature !== '';
    return { kind: 'call', path, id: ids.next(call), isSigned };
  }
  const response = either(part, 'functionResponse', 'function_response');
  if (isObject(response)) return { kind: 'result', path, id: ids.next(response) };
  const data = either(part, 'inlineData', 'inline_data') ?? either(part, 'fileData', 'file_data');
  if (!isObject(data)) return part.text === undefined ? { kind: 'other', path } : textPart(part.text, path);
  const mimeType = either(data, 'mimeType', 'mime_type');
  return { kind: typeof mimeType === 'string' && mimeType.startsWith('image/') ? 'media' : 'other', path };
}

function either(object: JsonObject, camel: string, snake: string): Json | undefined {
  return object[camel] ?? object[snake];
}

/** Calls and responses without an id go by name and order. */
class IdsByName {
  readonly #counts = new Map<string, number>();

  next({ id, name }: JsonObject): string {
    const given = idOf(id);
    if (given !== '') return `${given}/${idOf(name)}`;
    const count = this.#counts.get(idOf(name)) ?? 0;
    this.#counts.set(idOf(name), count + 1);
    return `\0${idOf(name)}/${count}`;
  }
}
