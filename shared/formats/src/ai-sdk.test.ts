import { type Conversation, finish, type Json, type JsonObject, MARK } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS, type Format } from './index.js';
import { cut, decide } from './testing/decide.js';

const format: Format = FORMATS['ai-sdk'];

function parse(request: JsonObject): Conversation {
  const result = finish(format.parse(request));
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.conversation;
}

function edited(request: JsonObject, ...decision: Parameters<typeof decide>): JsonObject {
  const edits = finish(format.edits(request, parse(request), decide(...decision)));
  return finish(format.apply(request, edits));
}

const text = (value: string) => ({ type: 'text', text: value });
const ui = (role: string, ...parts: Json[]) => ({ id: `${role}-id`, role, parts });
const tool = (toolCallId: string, state: string, more: JsonObject) => ({
  type: 'tool-look',
  toolCallId,
  state,
  input: { q: toolCallId },
  ...more,
});

describe('UI messages', () => {
  const messages = [
    ui('system', text('be brief')),
    ui('user', text('look'), { type: 'file', mediaType: 'image/png', url: 'https://x' }),
    ui(
      'assistant',
      { type: 'step-start' },
      { type: 'reasoning', text: 'hm', state: 'done' },
      tool('1', 'output-available', { output: 'a long result' }),
      tool('2', 'output-available', { output: { found: 1 } }),
      tool('3', 'output-error', { errorText: 'no such thing', rawInput: 'x' }),
      { ...tool('4', 'output-denied', {}), type: 'dynamic-tool', toolName: 'ask' },
      { type: 'source-url', url: 'https://x' },
      { type: 'data-weather', data: {} },
      text('an answer of some length'),
      { type: 'unheard-of', a: 1 },
    ),
    ui('assistant', tool('5', 'input-available', {})),
  ];

  it('hold calls and results in one message', () => {
    expect(parse({ messages, system: 'from aside' })).toEqual({
      protectedCount: 1,
      resultsFollowCalls: true,
      tools: [],
      instructions: ['from aside'],
      messages: [
        { role: 'system', texts: ['be brief'], attachments: [] },
        {
          role: 'user',
          texts: ['look'],
          attachments: [
            expect.objectContaining({
              kind: 'part',
              part: { type: 'file', mediaType: 'image/png', url: 'https://x' },
            }),
          ],
        },
        {
          role: 'assistant',
          texts: ['an answer of some length', 'a long result', 'no such thing'],
          attachments: [],
          toolCalls: [
            { name: 'look', arguments: { q: '1' } },
            { name: 'look', arguments: { q: '2' } },
            { name: 'look', arguments: { q: '3' } },
            { name: 'ask', arguments: { q: '4' } },
          ],
          otherParts: [{ found: 1 }, { type: 'unheard-of', a: 1 }],
          reasoning: ['hm'],
          calls: ['1', '2', '3', '4'],
          results: ['1', '2', '3', '4'],
          resultTextsFrom: 1,
        },
        {
          role: 'assistant',
          texts: [],
          attachments: [],
          toolCalls: [{ name: 'look', arguments: { q: '5' } }],
          calls: ['5'],
        },
      ],
    });
  });

  it('calls that are not written to their end are not sent', () => {
    const streaming = ui('assistant', text('wait'), tool('6', 'input-streaming', {}));
    expect(parse({ messages: [ui('user', text('look')), streaming] }).messages[1]).toEqual({
      role: 'assistant',
      texts: ['wait'],
      attachments: [],
    });
  });

  it('a cut takes from results first, and leaves every part of a tool', () => {
    const partsAfter = (textIndex: number, keepBytes: number) => {
      const { messages: after } = edited({ messages }, 4, [cut(2, textIndex, keepBytes)], []);
      return (after as JsonObject[])[2]?.parts as JsonObject[];
    };
    const given = messages[2]?.parts as JsonObject[];
    expect(partsAfter(1, 6)).toEqual(
      given.map((part) => {
        if (part.toolCallId === '1') return { ...part, output: `a long${MARK}` };
        return part.toolCallId === '3' ? { ...part, errorText: '' } : part;
      }),
    );
    expect(partsAfter(0, 2)[8]).toEqual(text(`an${MARK}`));
    expect(partsAfter(0, 2)).toHaveLength(given.length);
  });

  it('are told from their shape', () => {
    expect(detectFormat({ messages: [ui('user', text('a'))], system: 'b' }).name).toBe('ai-sdk');
  });
});

describe('model messages', () => {
  const result = (toolCallId: string, output: Json) => ({
    type: 'tool-result',
    toolCallId,
    toolName: 'look',
    output,
  });
  const media = { type: 'image-data', data: 'AAAA', mediaType: 'image/png' };
  const messages = [
    { role: 'system', content: 'be brief', providerOptions: { a: 1 } },
    { role: 'user', content: [text('see'), { type: 'image', image: 'AAAA', mediaType: 'image/png' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        text('so'),
        ...['1', '2', '3', '4'].map((id) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: 'look',
          input: { q: id },
        })),
        { type: 'tool-approval-request', approvalId: 'a', toolCallId: '1' },
      ],
    },
    {
      role: 'tool',
      content: [
        result('1', { type: 'text', value: 'a long result' }),
        result('2', { type: 'json', value: ['found'] }),
        result('3', { type: 'content', value: [text('in parts'), media] }),
        result('4', { type: 'execution-denied', reason: 'no' }),
      ],
    },
    { role: 'assistant', content: 'done' },
  ];

  it('of versions 6 and 7', () => {
    const { messages: read } = parse({ messages });
    expect(read[2]).toEqual({
      role: 'assistant',
      texts: ['so'],
      attachments: [],
      toolCalls: ['1', '2', '3', '4'].map((id) => ({ name: 'look', arguments: { q: id } })),
      reasoning: ['hm'],
      calls: ['1', '2', '3', '4'],
    });
    expect(read[3]).toEqual({
      role: 'tool',
      texts: ['a long result', 'in parts'],
      attachments: [expect.objectContaining({ kind: 'part', part: media })],
      otherParts: [
        { type: 'json', value: ['found'] },
        { type: 'execution-denied', reason: 'no' },
      ],
      results: ['1', '2', '3', '4'],
      startsTurn: false,
    });
  });

  it('keep their results whatever is cut of them', () => {
    const { messages: after } = edited({ messages }, 5, [cut(3, 0, 1)], [4]);
    const [first, second, third, fourth] = (messages[3] as JsonObject).content as JsonObject[];
    expect((after as Json[])[3]).toEqual({
      role: 'tool',
      content: [
        { ...first, output: { type: 'text', value: `a${MARK}` } },
        second,
        { ...third, output: { type: 'content', value: [media] } },
        fourth,
      ],
    });
    expect(after).toHaveLength(4);
  });

  it('are told from parts that only they have', () => {
    for (const message of [messages[1], messages[2], messages[3]])
      expect(detectFormat({ messages: [message as JsonObject] }).name).toBe('ai-sdk');
    expect(detectFormat({ messages: [messages[0] as JsonObject] }).name).toBe('openai-chat');
  });

  it('files by digest, in data that says of what kind it is too', () => {
    const data = { digest: `sha256:${'a'.repeat(64)}`, bytes: 3 };
    const content = [
      { type: 'image', image: data },
      { type: 'file', mediaType: 'application/pdf', data },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: 'https://x' } },
    ];
    const request = { messages: [{ role: 'user', content }] };
    expect(parse(request).messages[0]?.attachments).toHaveLength(4);
    const seen: Json[] = [];
    format.replaceFiles(request, (value) => {
      seen.push(value);
      return value;
    });
    expect(seen.filter((value) => value === data)).toHaveLength(3);
  });
});

it('tools by their names, and instructions as messages', () => {
  const schema = { type: 'object', properties: {} };
  const request = {
    messages: [],
    system: [{ role: 'system', content: 'be brief' }],
    tools: {
      look: { description: 'looks', inputSchema: { jsonSchema: schema } },
      ask: { inputSchema: schema },
    },
    toolChoice: 'auto',
  };
  expect(parse(request)).toMatchObject({
    instructions: ['be brief'],
    tools: [
      { name: 'look', description: 'looks', parameters: schema },
      { name: 'ask', parameters: schema },
    ],
    toolChoice: 'auto',
  });
  expect(format.maxOutput?.({ maxOutputTokens: 5 })).toBe(5);
});

it('what is wrong says where', () => {
  const messages = [
    5,
    { role: 1, parts: [] },
    ui('user', 'a', { type: 'text', text: 1 }),
    { role: 'user', content: [{ type: 'text' }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', output: { type: 'content', value: [1, { type: 'text', text: 2 }] } }],
    },
    { role: 'user', parts: 7 },
  ];
  const parsed = finish(format.parse({ messages, system: 1, tools: 'x' }));
  expect('issues' in parsed && parsed.issues.map(({ pointer }) => pointer)).toEqual([
    '/messages/0',
    '/messages/1/role',
    '/messages/2/parts/0',
    '/messages/2/parts/1/text',
    '/messages/3/content/0/text',
    '/messages/4/content/0/output/value/0',
    '/messages/4/content/0/output/value/1/text',
    '/messages/5/parts',
    '/system',
    '/tools',
  ]);
});

it('what the provider does by itself is no pair of ours', () => {
  const call = { type: 'tool-call', toolCallId: '1', toolName: 'search', input: {}, providerExecuted: true };
  const output = { type: 'text', value: 'found' };
  const messages = [
    {
      role: 'assistant',
      content: [call, { type: 'tool-result', toolCallId: '1', toolName: 'search', output }],
    },
    ui('assistant', tool('2', 'output-available', { output: 'seen', providerExecuted: true })),
  ];
  for (const { calls, results, texts, toolCalls } of parse({ messages }).messages) {
    expect([calls, results]).toEqual([undefined, undefined]);
    expect([texts.length, toolCalls?.length]).toEqual([1, 1]);
  }
});
