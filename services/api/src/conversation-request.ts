import {
  type Conversation,
  isAbsent,
  isObject,
  type Json,
  type JsonObject,
  PreflightError,
  type Steps,
} from '@preflight/core';
import {
  DEFAULT_FORMAT,
  detectFormat,
  FLAT_FIELDS,
  FORMATS,
  type Format,
  type FormatName,
} from '@preflight/formats';
import { modelName } from './job.js';

/** A provider's request, read: what counts in it, and how to change it. */
export interface ConversationRequest {
  readonly format: Format;
  /** The provider's request, unchanged; of a flat one, its conversation fields. */
  readonly request: JsonObject;
  readonly conversation: Conversation;
  /** Where the request stands in the body, as the start of JSON pointers: empty when flat. */
  readonly pointerPrefix: '' | '/request';
}

/** Reads the conversation out of a checked body. Throws `invalid_request` or `too_many_messages`, with pointers. */
export function* readConversation(body: JsonObject, maxMessages: number): Steps<ConversationRequest> {
  const format = formatOf(body);
  const { request, pointerPrefix } = providerRequest(body, format);
  const messageCount = format.messageCount(request);
  if (messageCount > maxMessages)
    throw new PreflightError('too_many_messages', {
      publicDetail: `The conversation has ${messageCount} messages; the limit is ${maxMessages}.`,
      params: { limit: maxMessages, messages: messageCount },
    });
  const parsed = yield* format.parse(request, modelName(body, request));
  if ('issues' in parsed)
    throw new PreflightError('invalid_request', {
      issues: parsed.issues.map(({ pointer, detail }) => ({ pointer: pointerPrefix + pointer, detail })),
    });
  return { format, request, conversation: parsed.conversation, pointerPrefix };
}

/** The format that the body names, else the one that the request looks like; flat fields are of the default one. */
function formatOf({ format, request }: JsonObject): Format {
  if (format !== undefined) return FORMATS[format as FormatName];
  return isObject(request) ? detectFormat(request) : FORMATS[DEFAULT_FORMAT];
}

function providerRequest(
  body: JsonObject,
  { flatFields }: Format,
): Pick<ConversationRequest, 'request' | 'pointerPrefix'> {
  if (body.request === undefined) {
    const strange = FLAT_FIELDS.filter((name) => !flatFields.includes(name) && !isAbsent(body[name]));
    if (strange.length > 0)
      throw new PreflightError('invalid_request', {
        issues: strange.map((name) => ({ pointer: `/${name}`, detail: 'is no field of this format' })),
      });
    const given = flatFields.filter((name) => body[name] !== undefined);
    const fields = given.map((name): [string, Json] => [name, body[name] as Json]);
    return { request: Object.fromEntries(fields), pointerPrefix: '' };
  }
  const flat = FLAT_FIELDS.filter((name) => !isAbsent(body[name]));
  if (flat.length > 0)
    throw new PreflightError('invalid_request', {
      publicDetail: 'The conversation stands both flat and under `request`.',
      issues: flat.map((name) => ({ pointer: `/${name}`, detail: 'must not stand beside `request`' })),
    });
  return { request: body.request as JsonObject, pointerPrefix: '/request' };
}
