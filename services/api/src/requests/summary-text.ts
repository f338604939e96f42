import {
  isObject,
  type Json,
  type JsonObject,
  PreflightError,
  TextRange,
  type TextRef,
} from '@preflight/core';

/** More would be no summary. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * What a caller tells of messages that are not in the conversation any more, as one text: the summary, and a line for each
 * fact, in the order of their names, so that the same facts make the same text. Undefined if that says nothing. Throws
 * `invalid_request` if it is too long.
 */
export function summaryText({ summary, facts }: JsonObject): string | undefined {
  const lines = [
    ...(summary === undefined ? [] : [stringOf(summary as TextRef)]),
    ...(isObject(facts) ? namesOf(facts).map((name) => `- ${name}: ${factText(facts[name] as Json)}`) : []),
  ];
  const text = lines.join('\n').toWellFormed();
  if (text === '') return undefined;
  if (text.length <= MAX_CHARACTERS) return text;
  const pointer = summary === undefined ? '/facts' : '/summary';
  throw new PreflightError('invalid_request', {
    issues: [{ pointer, detail: `makes more than ${MAX_CHARACTERS} characters` }],
  });
}

/** A text as it is, all else as JSON with its names in order. */
function factText(value: Json): string {
  return typeof value === 'string' || value instanceof TextRange
    ? stringOf(value)
    : JSON.stringify(inOrder(value));
}

function inOrder(value: Json): unknown {
  if (value instanceof TextRange) return stringOf(value);
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(namesOf(value).map((name) => [name, inOrder(value[name] as Json)]));
}

const namesOf = (object: JsonObject) => Object.keys(object).sort();

function stringOf(text: TextRef): string {
  return text instanceof TextRange ? Buffer.from(text.bytes()).toString('utf8') : text;
}
