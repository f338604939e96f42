import { type Conversation, finish, type Json, type JsonObject, MARK } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS, type Format } from './index.js';
import { cut, decide } from './testing/decide.js';

const format: Format = FORMATS.langchain;

function parse(request: JsonObject, model?: string): Conversation {
  const result = finish(format.parse(request, model));
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.conversation;
}

type Write = (type: string, fields: JsonObject) => JsonObject;

const CLASSES: Readonly<Record<string, string>> = {
  human: 'HumanMessage',
  ai: 'AIMessage',
  system: 'SystemMessage',
  tool: 'ToolMessage',
};
const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' };
const stored: Write = (type, data) => ({ type, data });
const constructed: Write = (type, kwargs) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', CLASSES[type] as string],
  kwargs,
});
const plain: Write = (type, fields) => ({ role: ROLES[type] ?? type, ...fields });
const dumped: Write = (type, fields) => ({ type, ...fields });

const FORMS = { stored, constructed, plain, dumped };
const PATHS = { stored: '/data', constructed: '/kwargs', plain: '', dumped: '' };

const call = (id: string) => ({ id, name: 'look', args: { q: id }, type: 'tool_call' });
const text = (value: string) => ({ type: 'text', text: value });

describe.each(Object.entries(FORMS))('the form %s', (name, write) => {
  const messages = [
    write('system', { content: 'be brief', unknown: 1 }),
    write('human', {
      content: [text('see'), 'bare', { type: 'image', url: 'https://x' }],
      name: 'me',
      id: 'u1',
    }),
    write('ai', { content: '', tool_calls: [call('1'), call('2')], usage_metadata: { total_tokens: 9 } }),
    write('tool', { content: 'a long result', tool_call_id: '1', status: 'success', artifact: [1] }),
    write('tool', { content: [text('found')], tool_call_id: '2' }),
    write('ai', { content: null }),
  ];

  it('is read', () => {
    expect(parse({ messages, tools: [{ name: 'look' }], tool_choice: 'auto' })).toEqual({
      protectedCount: 1,
      resultsFollowCalls: true,
      tools: [{ name: 'look' }],
      toolChoice: 'auto',
      messages: [
        { role: 'system', texts: ['be brief'], attachments: [] },
        {
          role: 'user',
          name: 'me',
          texts: ['see', 'bare'],
          attachments: [expect.objectContaining({ kind: 'part', part: { type: 'image', url: 'https://x' } })],
        },
        {
          role: 'assistant',
          texts: [''],
          attachments: [],
          toolCalls: [call('1'), call('2')],
          calls: ['1', '2'],
        },
        { role: 'tool', texts: ['a long result'], attachments: [], results: ['1'] },
        { role: 'tool', texts: ['found'], attachments: [], results: ['2'] },
        { role: 'assistant', texts: [], attachments: [] },
      ],
    });
  });

  it('is edited where its fields stand, and all else stays', () => {
    const request = { messages, temperature: 1 };
    const given = structuredClone(request);
    const decision = decide(6, [cut(1, 1, 2), cut(3, 0, 6)], [5]);
    const edits = finish(format.edits(request, parse(request), decision));
    const edited = finish(format.apply(request, edits));
    const image = { type: 'image', url: 'https://x' };
    expect(edited).toEqual({
      ...request,
      messages: [
        messages[0],
        write('human', { content: [text('see'), `ba${MARK}`, image], name: 'me', id: 'u1' }),
        messages[2],
        write('tool', { content: `a long${MARK}`, tool_call_id: '1', status: 'success', artifact: [1] }),
        messages[4],
      ],
    });
    expect(request).toEqual(given);
    expect(finish(format.apply(request, []))).toBe(request);
  });

  it('is told from its shape', () => {
    expect(detectFormat({ messages }).name).toBe('langchain');
  });

  it('says where it is wrong', () => {
    const wrong = [
      5,
      write('', {}),
      write('human', { content: 3 }),
      write('human', { content: [3, { type: 'text', text: 1 }], name: 4 }),
      write('ai', { content: '', tool_calls: 'x', additional_kwargs: { tool_calls: [1] } }),
    ];
    const parsed = finish(format.parse({ messages: wrong, tools: 1 }));
    const path = PATHS[name as keyof typeof PATHS];
    const pointers = 'issues' in parsed ? parsed.issues.map(({ pointer }) => pointer) : [];
    expect(pointers).toEqual([
      '/messages/0',
      expect.stringMatching(/^\/messages\/1\/(id|type|role)$/),
      `/messages/2${path}/content`,
      `/messages/3${path}/content/0`,
      `/messages/3${path}/content/1/text`,
      `/messages/3${path}/name`,
      `/messages/4${path}/tool_calls`,
      `/messages/4${path}/additional_kwargs/tool_calls/0`,
      '/tools',
    ]);
  });

  it('is listed for the strict mode', () => {
    const listed = finish(format.list?.({ messages }) as ReturnType<NonNullable<Format['list']>>);
    expect('messages' in listed && listed.messages.map(({ type, toolCallId }) => [type, toolCallId])).toEqual(
      [
        ['system', undefined],
        ['human', undefined],
        ['ai', undefined],
        ['tool', '1'],
        ['tool', '2'],
        ['ai', undefined],
      ],
    );
    expect('messages' in listed && listed.messages[2]?.toolCalls).toEqual([
      { id: '1', name: 'look', args: { q: '1' } },
      { id: '2', name: 'look', args: { q: '2' } },
    ]);
  });
});

it('words of chunks, classes of chunks and of free roles', () => {
  const roles = [
    { type: 'AIMessageChunk', data: { content: 'a' } },
    { lc: 1, id: ['langchain', 'schema', 'messages', 'HumanMessageChunk'], kwargs: { content: 'a' } },
    { type: 'chat', data: { role: 'critic', content: 'a' } },
    { role: 'developer', content: 'a' },
    { role: 'robot', content: 'a' },
  ];
  expect(parse({ messages: roles }).messages.map(({ role }) => role)).toEqual([
    'assistant',
    'user',
    'critic',
    'developer',
    'robot',
  ]);
});

describe('blocks', () => {
  const ofAi = (fields: JsonObject) => parse({ messages: [stored('ai', fields)] }).messages[0];

  it('standard ones in both spellings, and those of providers', () => {
    const media = [
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'file', mime_type: 'application/pdf', base64: 'AAAA' },
      { type: 'audio', file_id: 'f' },
      { type: 'image_url', image_url: { url: 'https://x' } },
      { type: 'input_image', image_url: 'https://x' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'text-plain', url: 'https://x' },
    ];
    const content = [...media, { type: 'text-plain', text: 'a document' }, { type: 'video_note' }];
    expect(parse({ messages: [stored('human', { content })] }).messages[0]).toEqual({
      role: 'user',
      texts: ['a document'],
      attachments: media.map((part) => expect.objectContaining({ kind: 'part', part })),
      otherParts: [{ type: 'video_note' }],
    });
  });

  it('reasoning counts beside the content', () => {
    const content = [
      { type: 'reasoning', reasoning: 'hm' },
      { type: 'thinking', thinking: 'oh' },
      text('so'),
    ];
    expect(ofAi({ content })).toMatchObject({ texts: ['so'], reasoning: ['hm', 'oh'] });
  });

  it('calls in the content are those that are listed, unless none are', () => {
    const use = { type: 'tool_use', id: '1', name: 'look', input: { q: '1' } };
    const content = [text('so'), use];
    expect(ofAi({ content, tool_calls: [call('1')] })).toMatchObject({
      toolCalls: [call('1')],
      calls: ['1'],
    });
    expect(ofAi({ content })).toMatchObject({
      toolCalls: [{ name: 'look', arguments: { q: '1' } }],
      calls: ['1'],
    });
  });

  it('calls that could not be read, and those in the extra fields', () => {
    const invalid = { id: '2', name: 'look', args: '{', error: 'no JSON', type: 'invalid_tool_call' };
    expect(ofAi({ content: '', tool_calls: [call('1')], invalid_tool_calls: [invalid] })?.calls).toEqual([
      '1',
      '2',
    ]);
    const raw = { id: '3', type: 'function', function: { name: 'look', arguments: '{}' } };
    const extra = { additional_kwargs: { tool_calls: [raw], function_call: { name: 'look' } } };
    expect(ofAi({ content: '', tool_calls: [], ...extra })).toMatchObject({
      toolCalls: [raw],
      functionCall: { name: 'look' },
    });
  });

  it('results of providers, in a message of nothing but them', () => {
    const result = { type: 'tool_result', tool_use_id: '1', content: [text('found')] };
    const messages = [stored('human', { content: [result] })];
    expect(parse({ messages }).messages[0]).toMatchObject({
      texts: ['found'],
      results: ['1'],
      startsTurn: false,
    });
  });

  it('files by digest', () => {
    const digest = { digest: `sha256:${'a'.repeat(64)}`, bytes: 3 };
    const content: Json[] = [
      { type: 'image', mimeType: 'image/png', data: digest },
      { type: 'file', base64: digest },
      { type: 'image_url', image_url: { url: { ...digest, mime_type: 'image/png' } } },
      { type: 'image', source: { type: 'base64', data: digest } },
    ];
    const request = { messages: [constructed('human', { content })] };
    expect(parse(request).messages[0]?.attachments).toHaveLength(4);
    let seen = 0;
    format.replaceFiles(request, (value) => {
      seen += 1;
      return value;
    });
    expect(seen).toBe(4);
  });
});
