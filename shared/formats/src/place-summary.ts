import {
  type Edit,
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  TextRange,
  type TextRef,
} from '@preflight/core';

/**
 * Where a request has its instructions: in the first message of a list, if that is a system message, or in a field of
 * their own. A place is made where there is none, if the
 * format says how.
 */
export type InstructionsPlace =
  | {
      readonly list: string;
      /** The content of a system message, empty if it has none; undefined of any other message. */
      systemContent?(message: JsonObject): Json | undefined;
      /** A system message with a text, in the form of the first message. */
      createMessage?(text: string, first: JsonObject | undefined): JsonObject;
      /** A field that will do as well, and holds no message of the list. */
      readonly orField?: InstructionsField;
    }
  | InstructionsField;

interface InstructionsField {
  readonly field: string | ((request: JsonObject) => string);
  create(text: string): Json;
}

/** Between these stands what is told of messages that are not in the conversation any more. */
const START = '<earlier_conversation>';
const END = '</earlier_conversation>';

/**
 * The edit that puts a summary behind the instructions of a request, in the place of an earlier one if there is one.
 * Undefined if there is no system message to hold it, and none can be made.
 */
export function placeSummary(
  request: JsonObject,
  place: InstructionsPlace,
  summary: string,
): Edit | undefined {
  const block = `${START}\n${summary}\n${END}`;
  if ('field' in place) return setField(request, place, block);
  const messages = request[place.list];
  if (!Array.isArray(messages)) return undefined;
  const { systemContent = chatSystemContent, createMessage, orField } = place;
  const first = messages[0];
  const content = isObject(first) ? systemContent(first) : undefined;
  if (content !== undefined) return { op: 'replace_content', index: 0, content: withBlock(content, block) };
  if (orField !== undefined) return setField(request, orField, block);
  if (createMessage === undefined) return undefined;
  return { op: 'insert', before: 0, message: createMessage(block, isObject(first) ? first : undefined) };
}

function setField(request: JsonObject, { field, create }: InstructionsField, block: string): Edit {
  const name = typeof field === 'string' ? field : field(request);
  const given = request[name];
  const value = isAbsent(given) ? create(block) : withBlock(given, block);
  return { op: 'set', pointer: `/${name}`, value };
}

function chatSystemContent({ role, content }: JsonObject): Json | undefined {
  return role === 'system' || role === 'developer' ? (content ?? '') : undefined;
}

/** Instructions, as a text, parts or messages, with the block at their end or where the earlier one was. */
function withBlock(content: Json, block: string): Json {
  if (isText(content)) return textWithBlock(content, block);
  if (isObject(content)) {
    const field = content.parts === undefined ? 'content' : 'parts';
    return { ...content, [field]: withBlock(content[field] ?? '', block) };
  }
  if (Array.isArray(content) && content.some(isMessage)) return withBlockInOne(content, block);
  const parts = Array.isArray(content) ? content : [];
  const isHolder = (part: Json) => isObject(part) && isText(part.text) && stringOf(part.text).includes(START);
  const holder = parts.findIndex(isHolder);
  if (holder !== -1)
    return parts.map((part, index) =>
      index === holder && isObject(part)
        ? { ...part, text: textWithBlock(part.text as TextRef, block) }
        : part,
    );
  const isTyped = parts.length === 0 || parts.some((part) => isObject(part) && part.type !== undefined);
  return [...parts, isTyped ? { type: 'text', text: block } : { text: block }];
}

const isMessage = (item: Json) => isObject(item) && item.role !== undefined;

/** In the last of several messages, or in that which has an earlier one. */
function withBlockInOne(messages: readonly Json[], block: string): Json {
  const holds = (message: Json) =>
    isObject(message) && isText(message.content) && stringOf(message.content).includes(START);
  const earlier = messages.findIndex(holds);
  const at = earlier === -1 ? messages.length - 1 : earlier;
  return messages.map((message, index) => (index === at ? withBlock(message, block) : message));
}

function textWithBlock(text: TextRef, block: string): string {
  const given = stringOf(text);
  const start = given.indexOf(START);
  const end = given.lastIndexOf(END);
  if (start !== -1 && end > start) return given.slice(0, start) + block + given.slice(end + END.length);
  return given === '' ? block : `${given}\n\n${block}`;
}

function stringOf(text: TextRef): string {
  return text instanceof TextRange ? decoder.decode(text.bytes()) : text;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
