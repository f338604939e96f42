import {
  type Conversation,
  finish,
  type Json,
  type JsonObject,
  MARK,
  type Steps,
  TextRange,
} from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { FORMATS, type FormatName } from './index.js';
import { cut, decide } from './testing/decide.js';

const format = FORMATS['openai-chat'];

function parse(request: JsonObject): Conversation {
  const result = finish(format.parse(request));
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.conversation;
}

function rangeOf(text: string): TextRange {
  const bytes = Buffer.from(text);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return new TextRange(buffer, 0, bytes.length);
}

const image = { type: 'image_url', image_url: { url: 'https://x' }, unknown: [1] };
const text = (value: Json) => ({ type: 'text', text: value, cache_control: {} });

const messages = [
  { role: 'system', content: 'rules' },
  { role: 'user', content: 'grüße an alle', name: 'me', unknown: { a: null } },
  { role: 'assistant', content: null, tool_calls: [{}] },
  { role: 'user', content: [image, text('first'), text('second part'), image, text('third'), image] },
  { role: 'tool', content: rangeOf('a long result') },
  { role: 'user', content: 'last' },
];
const request = { model: 'm', messages, temperature: 0.5, metadata: null };
const decision = decide(6, [cut(1, 0, 6), cut(3, 1, 6), cut(4, 0, 6)], [2]);
const newParts = [image, text('first'), text(`second${MARK}`), image, image];
const expectedEdits = [
  { op: 'replace_content', index: 1, content: `grüß${MARK}` },
  { op: 'drop', index: 2 },
  { op: 'replace_content', index: 3, content: newParts },
  { op: 'replace_content', index: 4, content: `a long${MARK}` },
];

describe('edits', () => {
  it('say what changes, in input order and in the form of the content', () => {
    expect(finish(format.edits(request, parse(request), decision))).toEqual(expectedEdits);
  });

  it('are none where nothing changes', () => {
    const edits = finish(format.edits(request, parse(request), decide(6, [], [])));
    expect(edits).toEqual([]);
    expect(finish(format.apply(request, edits))).toEqual(request);
  });

  it('mend lone surrogates of messages that are cut', () => {
    const broken = { messages: [{ role: 'user', content: [text('a\ud800'), text('bcd')] }] };
    expect(finish(format.edits(broken, parse(broken), decide(1, [cut(0, 1, 1)], [])))).toEqual([
      { op: 'replace_content', index: 0, content: [text('a\ufffd'), text(`b${MARK}`)] },
    ]);
  });
});

describe('apply', () => {
  it('makes a new request, shares what is unchanged and keeps all it does not know', () => {
    const before = structuredClone({ ...request, messages: messages.filter((_, index) => index !== 4) });
    const applied = finish(format.apply(request, finish(format.edits(request, parse(request), decision))));
    expect(applied).toEqual({
      ...request,
      messages: [
        messages[0],
        { ...messages[1], content: `grüß${MARK}` },
        { role: 'user', content: newParts },
        { role: 'tool', content: `a long${MARK}` },
        messages[5],
      ],
    });
    expect((applied.messages as Json[])[0]).toBe(messages[0]);
    expect({ ...request, messages: messages.filter((_, index) => index !== 4) }).toEqual(before);
    expect(messages).toHaveLength(6);
  });

  it('puts messages in, and sets fields outside the list', () => {
    const given = { messages: [{ role: 'user' }, { role: 'user', content: 'b' }], a: { b: [1, { c: 2 }] } };
    const message = { role: 'assistant', content: 'x' };
    const applied = format.apply(given, [
      { op: 'insert', before: 0, message },
      { op: 'drop', index: 0 },
      { op: 'insert', before: 1, message },
      { op: 'replace_content', index: 1, content: 'c' },
      { op: 'insert', before: 2, message },
      { op: 'set', pointer: '/a/b/1/c', value: 3 },
      { op: 'set', pointer: '/d~1e/f~0', value: null },
    ]);
    expect(finish(applied)).toEqual({
      messages: [message, message, { role: 'user', content: 'c' }, message],
      a: { b: [1, { c: 3 }] },
      'd/e': { 'f~': null },
    });
    expect(given.a).toEqual({ b: [1, { c: 2 }] });
  });

  it('refuses edits that are out of order, or of no message', () => {
    for (const index of [0, 7]) {
      const edits = format.apply(request, [
        { op: 'drop', index: 1 },
        { op: 'drop', index },
      ]);
      expect(() => finish(edits)).toThrow(RangeError);
    }
  });

  it('keeps content that is null or absent', () => {
    const given = {
      messages: [{ role: 'user', content: 'a' }, { role: 'assistant', content: null }, { role: 'assistant' }],
    };
    expect(finish(format.apply(given, [{ op: 'drop', index: 0 }]))).toEqual({
      messages: given.messages.slice(1),
    });
  });
});

describe('100,000 messages', () => {
  const list = (messageAt: (index: number) => Json) =>
    Array.from({ length: 100_000 }, (_, i) => messageAt(i));
  const chat = (index: number) =>
    index % 2 === 0
      ? { role: 'user', content: [text('hi'), image] }
      : { role: 'assistant', content: `hello ${index}` };
  const item = (index: number): Json =>
    index % 2 === 0
      ? { type: 'function_call', call_id: `${index}`, name: 'f', arguments: '{}' }
      : { type: 'function_call_output', call_id: `${index - 1}`, output: `hello ${index}` };
  const content = (index: number): Json =>
    index % 2 === 0
      ? { role: 'model', parts: [{ text: 'hi' }, { functionCall: { name: 'f', args: {} } }] }
      : {
          role: 'user',
          parts: [{ functionResponse: { name: 'f', response: { result: `hello ${index}` } } }],
        };
  // Every third of those with texts in all three.
  const cuts = Array.from({ length: 16_666 }, (_, i) => cut(6 * i + 1, 0, 1));

  it.each<[FormatName, JsonObject]>([
    ['openai-chat', { messages: list(chat) }],
    ['openai-responses', { input: list(item) }],
    ['gemini', { contents: list(content) }],
  ])('are read, edited and put together in no time: %s', (name, many) => {
    const { parse, edits, apply } = FORMATS[name];
    // CPU time, and the best of several runs: other tests run on the same cores.
    const timesMs = Array.from({ length: 5 }, () => {
      const started = process.cpuUsage().user;
      const parsed = finish(parse(many));
      if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
      finish(apply(many, finish(edits(many, parsed.conversation, decide(100_000, cuts, [0, 2])))));
      return (process.cpuUsage().user - started) / 1000;
    });
    expect(Math.min(...timesMs)).toBeLessThan(500);
  });
});

it('long conversations, and long messages, are read and changed in steps', () => {
  const stepsOf = (steps: Steps<unknown>) => {
    let count = 0;
    while (!steps.next().done) count += 1;
    return count;
  };
  const part = { type: 'text', text: 'a text' };
  const oneMessage: JsonObject = { messages: [{ role: 'user', content: Array(6400).fill(part) }] };
  const manyMessages: JsonObject = { messages: Array(6400).fill({ role: 'user', content: 'a text' }) };
  const files = Array(6400).fill({ content_base64: 'YQ==' });
  const manyFiles: JsonObject = { messages: [{ role: 'user', content: '', files }] };
  expect(stepsOf(format.parse(oneMessage))).toBeGreaterThanOrEqual(100);
  expect(stepsOf(format.parse(manyMessages))).toBeGreaterThanOrEqual(100);
  expect(stepsOf(FORMATS.langroid.parse(manyFiles))).toBeGreaterThanOrEqual(100);

  const cut = { index: 0, textIndex: 6399, keepBytes: 1, contentTokens: 1 };
  const ofOne = decide(1, [cut], []);
  expect(stepsOf(format.edits(oneMessage, parse(oneMessage), ofOne))).toBeGreaterThanOrEqual(100);
  const ofMany = decide(6400, [], [0, 1]);
  const conversation = parse(manyMessages);
  expect(stepsOf(format.edits(manyMessages, conversation, ofMany))).toBeGreaterThanOrEqual(100);
  const edits = finish(format.edits(manyMessages, conversation, ofMany));
  expect(stepsOf(format.apply(manyMessages, edits))).toBeGreaterThanOrEqual(100);
});

describe('a note in the place of attachments', () => {
  const image = { type: 'image_url', image_url: { url: 'https://x' } };
  const base64 = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } };
  const bedrockImage = { image: { format: 'png', source: { bytes: 'QUJD' } } };
  const note = '[Attachments left out: 900 tokens]';

  it.each([
    {
      name: 'openai-chat' as const,
      content: [image, text('a'), image],
      left: [{ type: 'text', text: note }, text('a')],
    },
    {
      name: 'anthropic-messages' as const,
      content: [{ type: 'text', text: 'a' }, base64, base64],
      left: [
        { type: 'text', text: 'a' },
        { type: 'text', text: note },
      ],
    },
    {
      name: 'anthropic-messages' as const,
      content: [{ type: 'tool_result', tool_use_id: 'x', content: [base64] }],
      left: [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: note }] }],
    },
    {
      name: 'bedrock-converse' as const,
      content: [{ text: 'a' }, bedrockImage],
      left: [{ text: 'a' }, { text: note }],
    },
    {
      name: 'openai-responses' as const,
      list: 'input',
      content: [
        { type: 'input_file', file_id: 'f' },
        { type: 'input_text', text: 'a' },
      ],
      left: [
        { type: 'input_text', text: note },
        { type: 'input_text', text: 'a' },
      ],
    },
    {
      name: 'gemini' as const,
      list: 'contents',
      field: 'parts',
      content: [
        { text: 'a' },
        { inline_data: { data: 'QUJD' } },
        { fileData: { fileUri: 'x' } },
        { functionCall: {} },
      ],
      left: [{ text: 'a' }, { text: note }, { functionCall: {} }],
    },
    {
      name: 'langchain' as const,
      content: ['a', image, { type: 'audio', data: 'QUJD' }],
      left: ['a', { type: 'text', text: note }],
    },
    {
      name: 'ai-sdk' as const,
      field: 'parts',
      content: [text('a'), { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,QUJD' }],
      left: [text('a'), { type: 'text', text: note }],
    },
    {
      name: 'ai-sdk' as const,
      content: [
        {
          type: 'tool-result',
          toolCallId: 'x',
          output: { type: 'content', value: [{ type: 'media', data: 'QUJD' }] },
        },
      ],
      left: [
        {
          type: 'tool-result',
          toolCallId: 'x',
          output: { type: 'content', value: [{ type: 'text', text: note }] },
        },
      ],
    },
  ])(
    'stands where the first was, in $name',
    ({ name, list = 'messages', field = 'content', content, left }) => {
      const request = { [list]: [{ role: 'user', [field]: content }] } as JsonObject;
      const parsed = finish(FORMATS[name].parse(request));
      if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
      const decision = { ...decide(1, [], []), attachmentNotes: [{ index: 0, elidedTokens: 900 }] };
      expect(finish(FORMATS[name].edits(request, parsed.conversation, decision))).toEqual([
        { op: 'replace_content', index: 0, content: left },
      ]);
    },
  );
});
