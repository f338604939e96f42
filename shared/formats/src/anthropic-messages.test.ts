import { type Conversation, type Fitted, finish, type Json, type JsonObject, MARK } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS, type Format } from './index.js';
import { cut, decide } from './testing/decide.js';

const format: Format = FORMATS['anthropic-messages'];

function parse(request: JsonObject, model?: string): Conversation {
  const result = finish(format.parse(request, model));
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.conversation;
}

function issuesOf(request: JsonObject): string[] {
  const result = finish(format.parse(request));
  return 'issues' in result ? result.issues.map(({ pointer }) => pointer) : [];
}

function edited(request: JsonObject, decision: Fitted, model?: string) {
  const edits = finish(format.edits(request, parse(request, model), decision));
  return { edits, messages: finish(format.apply(request, edits)).messages as Json[] };
}

const text = (value: string) => ({ type: 'text', text: value, cache_control: { type: 'ephemeral' } });
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { q: id } });
const result = (id: string, content: Json, more: JsonObject = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const thinking = (value: string) => ({ type: 'thinking', thinking: value, signature: 'signed' });
const redacted = { type: 'redacted_thinking', data: 'AAAA' };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const user = (content: Json) => ({ role: 'user', content });
const assistant = (content: Json) => ({ role: 'assistant', content });

describe('what counts', () => {
  it('is text, results behind it, media wherever it stands, calls, and blocks of unknown kinds', () => {
    const fetched = { type: 'web_search_tool_result', tool_use_id: 's', content: [] };
    const request = {
      system: [text('be brief'), text('be kind')],
      tools: [{ name: 'look', input_schema: {} }],
      tool_choice: { type: 'auto' },
      output_config: { format: { type: 'json_schema', schema: {} } },
      messages: [
        user([result('1', [text('found'), image]), result('2', 'more'), text('and now?'), image]),
        assistant([thinking('hm'), text('so'), use('3'), fetched]),
      ],
    };
    expect(parse(request)).toEqual({
      instructions: ['be brief', 'be kind'],
      protectedCount: 0,
      rolesAlternate: true,
      tools: request.tools,
      toolChoice: request.tool_choice,
      schemas: [request.output_config.format],
      messages: [
        {
          role: 'user',
          texts: ['and now?', 'found', 'more'],
          resultTextsFrom: 1,
          attachments: [image, image].map((part) => expect.objectContaining({ kind: 'part', part })),
          results: ['1', '2'],
        },
        {
          role: 'assistant',
          texts: ['so'],
          attachments: [],
          toolCalls: [{ function: { name: 'look', arguments: { q: '3' } } }],
          calls: ['3'],
          otherParts: [fetched],
          reasoning: ['hm'],
        },
      ],
    });
  });

  it('begins no turn with nothing but results', () => {
    const [first, second, third] = parse({
      messages: [user([result('1', 'a')]), user([result('1', 'a'), text('b')]), user('c')],
    }).messages;
    expect(first?.startsTurn).toBe(false);
    for (const message of [second, third]) expect(message).not.toHaveProperty('startsTurn');
  });

  it('has files by digest, in messages and in results', () => {
    const reference = { digest: `sha256:${'a'.repeat(64)}`, bytes: 3, mime_type: 'image/png' };
    const byDigest = { type: 'image', source: { type: 'base64', data: reference } };
    const plain = { type: 'document', source: { type: 'text', data: 'a text' } };
    const request = { messages: [user([byDigest, plain, result('1', [byDigest])])] };
    const attachments = parse(request).messages[0]?.attachments ?? [];
    expect(attachments.map(({ kind }) => kind)).toEqual(['part', 'part', 'part']);
    const seen: Json[] = [];
    format.replaceFiles(request, (value) => {
      seen.push(value);
      return value;
    });
    expect(seen).toEqual([reference, reference]);
  });
});

describe('thinking', () => {
  const request = {
    messages: [
      user('first'),
      assistant([thinking('one'), text('answer')]),
      user('second'),
      assistant([thinking('only')]),
      user('third'),
      assistant([thinking('two'), redacted, use('1')]),
      user([result('1', 'found')]),
    ],
  };
  const columns = (model?: string) =>
    parse(request, model).messages.map(({ reasoning, boundTexts }) => [reasoning, boundTexts]);
  const none = [undefined, undefined];
  const current = [['two', 'AAAA'], undefined];

  it('counts, of earlier turns only where the model is sent it', () => {
    expect(columns('claude-opus-4-6')).toEqual([
      none,
      [['one'], undefined],
      none,
      [['only'], undefined],
      none,
      current,
      none,
    ]);
    expect(columns('claude-sonnet-4-5')).toEqual([none, none, none, none, none, current, none]);
  });

  it('is bound where the model binds it, but not in the turn under way, nor alone in a message', () => {
    expect(columns('claude-fable-5-1')).toEqual([
      none,
      [undefined, ['one']],
      none,
      [['only'], undefined],
      none,
      current,
      none,
    ]);
  });

  it('that is bound goes once anything before it has changed, and what has to stay is told of', () => {
    const { edits, messages } = edited(request, decide(7, [cut(0, 0, 2)], []), 'claude-fable-5-1');
    expect(edits).toEqual([
      { op: 'replace_content', index: 0, content: `fi${MARK}` },
      { op: 'replace_content', index: 1, content: [text('answer')] },
      { op: 'set', pointer: '/thinking/block_binding/prefix_mismatch_behavior', value: 'drop_block' },
    ]);
    expect(messages.slice(2)).toEqual(request.messages.slice(2));
    expect(format.warnings?.(edits)).toHaveLength(1);
  });

  it('that is not bound stays, whatever has changed', () => {
    const decision = decide(7, [cut(1, 0, 2)], [0]);
    const { edits } = edited(request, decision, 'claude-opus-4-6');
    expect(edits).toEqual([
      { op: 'drop', index: 0 },
      { op: 'replace_content', index: 1, content: [thinking('one'), text(`an${MARK}`)] },
    ]);
    expect(format.warnings?.(edits)).toEqual([]);
  });

  it('stays where nothing before it has changed', () => {
    const decision = decide(7, [cut(6, 0, 2)], []);
    const { edits } = edited(request, decision, 'claude-fable-5-1');
    expect(edits).toEqual([{ op: 'replace_content', index: 6, content: [result('1', `fo${MARK}`)] }]);
  });
});

describe('a cut', () => {
  const content = [
    result('1', 'a long result'),
    result('2', [text('in parts'), image, text('and more')], { is_error: true }),
    result('3', [text('gone')], { is_error: true }),
    image,
    text('the question'),
  ];
  const contentAfter = (textIndex: number, keepBytes: number) => {
    const decision = decide(1, [cut(0, textIndex, keepBytes)], []);
    return (edited({ messages: [user(content)] }, decision).messages[0] as JsonObject).content;
  };

  it('takes from results before it takes from the text beside them', () => {
    expect(contentAfter(2, 2)).toEqual([
      content[0],
      result('2', [text(`in${MARK}`), image], { is_error: true }),
      result('3', []),
      image,
      content[4],
    ]);
  });

  it('leaves results in place that it empties, which are no errors any more', () => {
    expect(contentAfter(0, 3)).toEqual([
      result('1', ''),
      result('2', [image], { is_error: true }),
      result('3', []),
      image,
      text(`the${MARK}`),
    ]);
  });
});

describe('a request', () => {
  it.each<JsonObject>([
    { system: 'be brief', messages: [user('a')] },
    { system: [{ type: 'text', text: 'a' }], messages: [] },
    { messages: [user([image])] },
    { messages: [assistant([use('1')])] },
    { messages: [user('a')], tools: [{ name: 'f', input_schema: {} }] },
  ])('is told from its shape: %j', (request) => {
    expect(detectFormat(request).name).toBe('anthropic-messages');
  });

  it.each<JsonObject>([
    { messages: [user('a')] },
    {
      messages: [
        user([
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'x' } },
        ]),
      ],
    },
  ])('is not, where it may be of another: %j', (request) => {
    expect(detectFormat(request).name).not.toBe('anthropic-messages');
  });

  it('that is wrong says where', () => {
    const messages = [
      5,
      { role: '', content: 5 },
      user(['a', { type: 'text' }, result('1', 5), result('1', [{ type: 'text', text: 1 }, null])]),
    ];
    expect(issuesOf({ messages, system: [{ text: 1 }, { text: 'a' }], tools: {} })).toEqual([
      '/messages/0',
      '/messages/1/role',
      '/messages/1/content',
      '/messages/2/content/0',
      '/messages/2/content/1/text',
      '/messages/2/content/2/content',
      '/messages/2/content/3/content/0/text',
      '/messages/2/content/3/content/1',
      '/system/0/text',
      '/tools',
    ]);
    expect(issuesOf({})).toEqual(['/messages']);
    expect(issuesOf({ messages: [], system: 7 })).toEqual(['/system']);
  });
});
