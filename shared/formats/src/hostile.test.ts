import { type Conversation, type Cut, finish, type Issue, type Json, type JsonObject } from '@preflight/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import { detectFormat, FORMATS, type Format, MAX_ISSUES } from './index.js';
import { decide } from './testing/decide.js';

/** Words that formats look for, so that what is generated comes close to requests. */
const KEYS = [
  ...['messages', 'input', 'contents', 'system', 'instructions', 'systemInstruction', 'tools', 'toolConfig'],
  ...['role', 'type', 'content', 'parts', 'text', 'id', 'name', 'data', 'source', 'output', 'summary'],
  ...['tool_calls', 'function_call', 'function', 'tool_call_id', 'call_id', 'tool_use_id', 'toolUseId'],
  ...['toolUse', 'toolResult', 'reasoningContent', 'reasoningText', 'thinking', 'files', 'kwargs', 'value'],
  ...['functionCall', 'functionResponse', 'response', 'args', 'inlineData', 'image', 'document', 'bytes'],
  ...['toolCallId', 'toolName', 'state', 'mediaType', 'url', 'unknown', '__proto__', 'constructor'],
];
const WORDS = [
  ...['user', 'assistant', 'model', 'tool', 'system', 'human', 'ai', 'text', 'input_text', 'output_text'],
  ...[
    'tool_use',
    'tool_result',
    'thinking',
    'redacted_thinking',
    'image',
    'document',
    'message',
    'reasoning',
  ],
  ...[
    'function_call',
    'function_call_output',
    'tool-call',
    'tool-result',
    'file',
    'constructor',
    '__proto__',
  ],
  ...['', 'a', '\ud800', 'some text that is long enough to be cut'],
];

const { value: anyJson } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<Json[]>(...WORDS, null, 0, -1, true),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries) as JsonObject),
}));
/** Fields beside those that make sense, mostly none. */
const beside = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, anyJson);

/** What a message or a block looks like, mostly. */
const block = fc
  .tuple(
    beside,
    fc.constantFrom(...WORDS),
    fc.array(fc.constantFrom('text', 'thinking', 'data'), { maxLength: 2 }),
  )
  .map(
    ([others, type, texts]): JsonObject => ({
      ...(isPlain(others) ? others : {}),
      type,
      ...Object.fromEntries(texts.map((name) => [name, 'some text that is long enough'])),
    }),
  );
/** Each format finds its own among the names under which the same stands. */
const message = fc
  .tuple(
    beside,
    fc.constantFrom('user', 'assistant', 'tool', 'system', 'model'),
    fc.oneof(
      fc.constant('some text that is long enough'),
      fc.array(fc.oneof(block, fc.constant({ text: 'some text that is long enough' })), { maxLength: 4 }),
      anyJson,
    ),
  )
  .map(
    ([others, role, content]): JsonObject => ({
      ...(isPlain(others) ? others : {}),
      ...{ role, content, parts: content, output: content },
    }),
  );
const LISTS = ['messages', 'input', 'contents'];
const requests = fc
  .tuple(
    beside,
    fc.array(fc.oneof({ weight: 19, arbitrary: message }, anyJson), { minLength: 1, maxLength: 5 }),
  )
  .map(
    ([others, list]): JsonObject => ({
      ...(isPlain(others) ? others : {}),
      ...Object.fromEntries(LISTS.map((name) => [name, list])),
    }),
  );

function isPlain(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe.each(Object.values(FORMATS) as Format[])('$name', (format) => {
  const parse = (request: JsonObject): Conversation | readonly Issue[] => {
    const parsed = finish(format.parse(request, 'claude-fable-5-1'));
    return 'issues' in parsed ? parsed.issues : parsed.conversation;
  };

  test('reads anything, or says where it is wrong', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const read = parse(request);
        if ('messages' in read) {
          expect(read.messages.length).toBeLessThanOrEqual(format.messageCount(request));
          return;
        }
        expect(read.length).toBeGreaterThan(0);
        expect(read.length).toBeLessThanOrEqual(MAX_ISSUES);
        for (const { pointer } of read) expect(holderOf(request, pointer), pointer).toBeDefined();
      }),
      runs(500),
    );
  });

  /** What is left of a request without all that is wrong, read. */
  const readable = (request: JsonObject): { request: JsonObject; read: Conversation } | undefined => {
    let left = request;
    for (let round = 0; round < 10; round++) {
      const read = parse(left);
      if ('messages' in read) return { request: left, read };
      left = without(left, read);
    }
    return undefined;
  };

  test('reads much of what is generated, once what is wrong is taken out', () => {
    const read = fc.sample(requests, { seed: 7, numRuns: 300 }).map(readable);
    const withTexts = read.filter((each) => each?.read.messages.some(({ texts }) => texts.length > 0));
    expect(withTexts.length).toBeGreaterThan(50);
  });

  test('gives back what it does not change, and changes nothing that it was given', () => {
    fc.assert(
      fc.property(requests, fc.array(fc.nat(6)), (given, places) => {
        const { request, read } = readable(given) ?? {};
        if (request === undefined || read === undefined) return;
        const before = structuredClone(request);
        const { messages } = read;
        expect(finish(format.edits(request, read, decide(messages.length, [], [])))).toEqual([]);
        expect(finish(format.apply(request, []))).toEqual(before);

        const cuts = messages.flatMap(({ texts }, index): Cut[] =>
          texts.length > 0 && places.includes(index)
            ? [{ index, textIndex: index % texts.length, keepBytes: 0, contentTokens: 0 }]
            : [],
        );
        const edits = finish(format.edits(request, read, decide(messages.length, cuts, [])));
        const again = parse(finish(format.apply(request, edits)));
        if (!('messages' in again)) throw new Error(JSON.stringify(again));
        expect(again.messages.map(({ texts }) => texts.length)).toEqual(
          messages.map(({ texts }, index) => {
            const cut = cuts.find((one) => one.index === index);
            return cut === undefined ? texts.length : expect.any(Number);
          }),
        );
        expect(request).toEqual(before);
      }),
      runs(500),
    );
  });
});

test('a format is told from anything', () => {
  fc.assert(
    fc.property(requests, (request) => Object.values(FORMATS).includes(detectFormat(request) as never)),
  );
});

/** A request without the messages, or else the fields, that issues point into. */
function without(request: JsonObject, issues: readonly Issue[]): JsonObject {
  const places = issues.map(({ pointer }) => pointer.split('/').slice(1));
  const entries = Object.entries(request).flatMap(([name, value]): [string, Json][] => {
    const inside = places.filter(([field]) => field === name);
    if (inside.length === 0) return [[name, value]];
    if (!LISTS.includes(name) || !Array.isArray(value)) return [];
    return [[name, value.filter((_, index) => !inside.some(([, at]) => at === `${index}`))]];
  });
  return Object.fromEntries(entries);
}

/** What a pointer leads to, or the value in which its last name is missing; undefined if it leads nowhere. */
function holderOf(value: Json, pointer: string): Json | undefined {
  let at: Json | undefined = value;
  const names = pointer.split('/').slice(1);
  for (const [depth, name] of names.entries()) {
    if (typeof at !== 'object' || at === null) return undefined;
    const next: Json | undefined = (at as JsonObject)[name];
    if (next === undefined) return depth === names.length - 1 ? at : undefined;
    at = next;
  }
  return at;
}
