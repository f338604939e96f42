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
 * Where a request has its instructions: in the first message of a list, if that is a system message, or in a field of their
 * own, which is made as `create` says where there is none.
 */
export type InstructionsPlace =
  | {
      readonly list: string;
      /** The content of a system message, empty if it has none; undefined of any other message. */
      systemContent?(message: JsonObject): Json | undefined;
    }
  | { readonly field: string; create(text: string): Json };

/** Between these stands what is told of messages that are not in the conversation any more. */
const START = '<earlier_conversation>';
const END = '</earlier_conversation>';

/**
 * The edit that puts a summary behind the instructions of a request, in the place of an earlier one if there is one.
 * Undefined if there is no system message to hold it.
 */
export function placeSummary(
  request: JsonObject,
  place: InstructionsPlace,
  summary: string,
): Edit | undefined {
  const block = `${START}\n${summary}\n${END}`;
  if ('field' in place) {
    const given = request[place.field];
    const value = isAbsent(given) ? place.create(block) : withBlock(given, block);
    return { op: 'set', pointer: `/${place.field}`, value };
  }
  const messages = request[place.list];
  const first = Array.isArray(messages) ? messages[0] : undefined;
  const { systemContent = chatSystemContent } = place;
  const content = isObject(first) ? systemContent(first) : undefined;
  if (content === undefined) return undefined;
  return { op: 'replace_content', index: 0, content: withBlock(content, block) };
}

function chatSystemContent({ role, content }: JsonObject): Json | undefined {
  return role === 'system' || role === 'developer' ? (content ?? '') : undefined;
}

/** Instructions, as a text or as parts, with the block at their end or where the earlier one was. */
function withBlock(content: Json, block: string): Json {
  if (isText(content)) return textWithBlock(content, block);
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
