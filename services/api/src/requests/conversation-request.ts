import {
  type Conversation,
  type Edit,
  type Issue,
  isAbsent,
  isObject,
  type Json,
  type JsonObject,
  type ListedMessage,
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
  placeSummary,
} from '@preflight/formats';
import { modelName } from './asked-model.js';
import { summaryText } from './summary-text.js';

/** A provider's request, and how to change it. */
interface GivenRequest {
  readonly format: Format;
  /** The provider's request, unchanged; of a flat one, its conversation fields. */
  readonly request: JsonObject;
  /** Where the request stands in the body, as the start of JSON pointers: empty when flat. */
  readonly pointerPrefix: '' | '/request';
  /** What a flat request is sent with though it is no part of the conversation: its model. */
  readonly beside: JsonObject;
}

/** With what counts in it. */
export interface ConversationRequest extends GivenRequest {
  readonly conversation: Conversation;
  /** The edit that puts a summary into it, if one was given; `request` is what came of it, but for an `insert`. */
  readonly placed?: Edit;
}

type Placed = Pick<ConversationRequest, 'placed'>;

/** With its messages as langchain-core reads them. */
export interface ListRequest extends GivenRequest {
  readonly messages: readonly ListedMessage[];
}

/** Reads the conversation out of a checked body. Throws `invalid_request` or `too_many_messages`, with pointers. */
export function* readConversation(body: JsonObject, maxMessages: number): Steps<ConversationRequest> {
  const given = yield* withSummary(body, readRequest(body, maxMessages));
  const model = modelName(body, given.request);
  const parsed = yield* given.format.parse(given.request, model);
  if ('issues' in parsed) throw invalidRequest(parsed.issues, given);
  const isPrefixChanged = given.placed !== undefined;
  const front = yield* frontOf(given, model);
  return {
    ...given,
    conversation: {
      ...parsed.conversation,
      ...(isPrefixChanged && { isPrefixChanged }),
      ...(front && { front }),
    },
  };
}

/** The message that was put in front of all others for a summary, which is no message of the input. */
function* frontOf({ format, placed }: GivenRequest & Placed, model: string | undefined) {
  if (placed?.op !== 'insert') return undefined;
  const parsed = yield* format.parse(yield* format.apply({}, [placed]), model);
  return 'conversation' in parsed ? parsed.conversation.messages[0] : undefined;
}

/** The request with the caller's summary among its instructions. Throws `unsupported_option` where it has no place. */
function* withSummary(body: JsonObject, given: GivenRequest): Steps<GivenRequest & Placed> {
  const summary = summaryText(body);
  if (summary === undefined) return given;
  const { format, request } = given;
  const placed = format.instructions && placeSummary(request, format.instructions, summary);
  if (placed === undefined) {
    const detail = format.instructions
      ? 'needs a system message to stand in, at the front'
      : `has no place in the format ${format.name}`;
    const pointer = body.summary === undefined ? '/facts' : '/summary';
    throw new PreflightError('unsupported_option', { issues: [{ pointer, detail }] });
  }
  // Messages keep the positions that they have in the input.
  if (placed.op === 'insert') return { ...given, placed };
  return { ...given, request: yield* format.apply(request, [placed]), placed };
}

/** Reads the messages alone; throws the same, and `unsupported_option` for a format that langchain-core does not read. */
export function* readList(body: JsonObject, maxMessages: number): Steps<ListRequest> {
  const given = readRequest(body, maxMessages);
  const { list, name } = given.format;
  if (list === undefined)
    throw new PreflightError('unsupported_option', {
      publicDetail: `Messages of the format ${name} cannot be counted or trimmed as langchain-core does.`,
      issues: [{ pointer: '/format', detail: 'is not a format of messages that langchain-core reads' }],
    });
  const listed = yield* list(given.request);
  if ('issues' in listed) throw invalidRequest(listed.issues, given);
  return { ...given, messages: listed.messages };
}

/** Finds the request in a checked body, without reading it. Throws `invalid_request` or `too_many_messages`. */
export function readRequest(body: JsonObject, maxMessages: number): GivenRequest {
  const format = formatOf(body);
  const { request, pointerPrefix, beside } = providerRequest(body, format);
  const messageCount = format.messageCount(request);
  if (messageCount > maxMessages)
    throw new PreflightError('too_many_messages', {
      publicDetail: `The conversation has ${messageCount} messages; the limit is ${maxMessages}.`,
      params: { limit: maxMessages, messages: messageCount },
    });
  return { format, request, pointerPrefix, beside };
}

function invalidRequest(issues: readonly Issue[], { pointerPrefix }: GivenRequest): PreflightError {
  return new PreflightError('invalid_request', {
    issues: issues.map(({ pointer, detail }) => ({ pointer: pointerPrefix + pointer, detail })),
  });
}

/** The format that the body names, else the one that the request looks like; flat fields are of the default one. */
function formatOf({ format, request }: JsonObject): Format {
  if (format !== undefined) return FORMATS[format as FormatName];
  return isObject(request) ? detectFormat(request) : FORMATS[DEFAULT_FORMAT];
}

function providerRequest(
  body: JsonObject,
  { flatFields, name: formatName }: Format,
): Omit<GivenRequest, 'format'> {
  if (body.request === undefined) {
    const strange = FLAT_FIELDS.filter((name) => !flatFields.includes(name) && !isAbsent(body[name]));
    if (strange.length > 0)
      throw new PreflightError('invalid_request', {
        publicDetail: `A request of the format ${formatName} stands under \`request\`: ${strange.join(', ')} cannot stand flat.`,
        issues: strange.map((name) => ({
          pointer: `/${name}`,
          detail: `is no flat field of the format ${formatName}`,
        })),
      });
    const given = flatFields.filter((name) => body[name] !== undefined);
    if (given.every((name) => isAbsent(body[name]))) throw noConversation();
    const fields = given.map((name): [string, Json] => [name, body[name] as Json]);
    const model = modelName(body);
    return {
      request: Object.fromEntries(fields),
      pointerPrefix: '',
      beside: model === undefined ? {} : { model },
    };
  }
  const flat = FLAT_FIELDS.filter((name) => !isAbsent(body[name]));
  if (flat.length > 0)
    throw new PreflightError('invalid_request', {
      publicDetail: 'The conversation stands both flat and under `request`.',
      issues: flat.map((name) => ({ pointer: `/${name}`, detail: 'must not stand beside `request`' })),
    });
  return { request: body.request as JsonObject, pointerPrefix: '/request', beside: {} };
}

function noConversation(): PreflightError {
  return new PreflightError('invalid_request', {
    publicDetail: "There is no conversation: give `messages`, or the provider's request under `request`.",
    issues: [{ pointer: '/messages', detail: 'is missing, and so is /request' }],
  });
}
