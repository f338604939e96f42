import {
  type Conversation,
  finish,
  type Issue,
  type Json,
  type JsonObject,
  TextRange,
} from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS, type FormatName, MAX_ISSUES } from './index.js';

const LONG = new TextRange(new SharedArrayBuffer(16), 0, 16);

function parse(request: JsonObject, format: FormatName = 'openai-chat'): Conversation {
  const result = finish(FORMATS[format].parse(request));
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.conversation;
}

function issuesOf(request: JsonObject, format: FormatName = 'openai-chat'): readonly Issue[] {
  const result = finish(FORMATS[format].parse(request));
  return 'issues' in result ? result.issues : [];
}

describe('what counts in a message', () => {
  it.each<[string, JsonObject, object]>([
    ['a string', { role: 'user', content: 'hi' }, { role: 'user', texts: ['hi'], attachments: [] }],
    ['a long string', { role: 'user', content: LONG }, { role: 'user', texts: [LONG], attachments: [] }],
    ['nothing', { role: 'assistant' }, { role: 'assistant', texts: [], attachments: [] }],
    ['null', { role: 'assistant', content: null }, { role: 'assistant', texts: [], attachments: [] }],
    ['no parts', { role: 'user', content: [] }, { role: 'user', texts: [], attachments: [] }],
    [
      'a name',
      { role: 'tool', content: '', name: 'f', tool_call_id: 1 },
      { role: 'tool', texts: [''], attachments: [], name: 'f', results: [expect.any(String)] },
    ],
    [
      'calls',
      { role: 'assistant', content: null, tool_calls: [{ id: 'a' }], function_call: { name: 'f' } },
      {
        role: 'assistant',
        texts: [],
        attachments: [],
        toolCalls: [{ id: 'a' }],
        functionCall: { name: 'f' },
        calls: ['a', expect.any(String)],
      },
    ],
    [
      'nulls for what is left out',
      { role: 'assistant', content: 'a', name: null, tool_calls: null, function_call: null, refusal: null },
      { role: 'assistant', texts: ['a'], attachments: [] },
    ],
    [
      'refusals',
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }], refusal: 'never' },
      { role: 'assistant', texts: [], attachments: [], otherTexts: ['no', 'never'] },
    ],
    [
      'parts of a user',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: LONG } },
          { type: 'text', text: LONG },
          { type: 'new' },
        ],
      },
      {
        role: 'user',
        texts: ['a', LONG],
        attachments: [
          expect.objectContaining({ kind: 'part', part: { type: 'image_url', image_url: { url: LONG } } }),
          expect.objectContaining({ kind: 'part', part: { type: 'new' } }),
        ],
      },
    ],
    [
      'media of others, which do not count',
      { role: 'tool', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] },
      { role: 'tool', texts: ['a'], attachments: [], results: [expect.any(String)] },
    ],
  ])('%s', (_, message, expected) => {
    for (const format of ['openai-chat', 'langroid'] as const) {
      expect(parse({ messages: [message] }, format).messages).toEqual([expected]);
    }
  });
});

describe('files of Langroid', () => {
  const files = [
    {
      content_base64: 'QQ==',
      filename: 'a.pdf',
      mime_type: 'application/pdf',
      url: null,
      detail: null,
      extra: 1,
    },
    { url: 'https://x/y.png', detail: 'low' },
  ];

  it('are attachments of users, behind those of the content', () => {
    const content = [{ type: 'image_url' }];
    expect(
      parse({ messages: [{ role: 'user', content, files }] }, 'langroid').messages[0]?.attachments,
    ).toEqual([
      expect.objectContaining({ kind: 'part', part: { type: 'image_url' } }),
      expect.objectContaining({
        kind: 'file',
        file: { contentBase64: 'QQ==', filename: 'a.pdf', mimeType: 'application/pdf' },
        pointer: '/messages/0/files/0',
      }),
      expect.objectContaining({
        kind: 'file',
        file: { url: 'https://x/y.png', detail: 'low' },
        pointer: '/messages/0/files/1',
      }),
    ]);
  });

  it('do not count on other roles, nor in other formats', () => {
    expect(parse({ messages: [{ role: 'assistant', files }] }, 'langroid').messages[0]?.attachments).toEqual(
      [],
    );
    expect(parse({ messages: [{ role: 'user', files }] }).messages[0]?.attachments).toEqual([]);
  });
});

describe('the request', () => {
  it.each<[readonly string[], number, number]>([
    [[], 0, 0],
    [['user'], 0, 1],
    [['system'], 1, 1],
    [['system', 'developer', 'user', 'system'], 2, 1],
  ])('protects the front of %j', (roles, inChat, inLangroid) => {
    const messages = roles.map((role) => ({ role, content: '' }));
    expect(parse({ messages }).protectedCount).toBe(inChat);
    expect(parse({ messages }, 'langroid').protectedCount).toBe(inLangroid);
  });

  it('has tools and functions, and a choice among them', () => {
    const request = { messages: [], tools: [{ a: 1 }], functions: [{ b: 2 }] };
    expect(parse(request)).toEqual({
      messages: [],
      protectedCount: 0,
      resultsFollowCalls: true,
      tools: [{ a: 1 }, { b: 2 }],
    });
    const schema = { name: 'x', schema: {} };
    const withSchema = { ...request, response_format: { type: 'json_schema', json_schema: schema } };
    expect(parse(withSchema).schemas).toEqual([schema]);
    expect(parse({ ...request, response_format: { type: 'text' } })).not.toHaveProperty('schemas');
    expect(parse({ ...request, function_call: 'none' }).toolChoice).toBe('none');
    expect(parse({ ...request, function_call: 'none', tool_choice: 'auto' }).toolChoice).toBe('auto');
    expect(parse({ messages: [], tools: null, functions: null, tool_choice: null })).not.toHaveProperty(
      'toolChoice',
    );
  });
});

describe('calls and results', () => {
  const call = (id?: string) => ({ ...(id && { id }), type: 'function', function: { name: 'f' } });
  const pairs = (messages: Json[]) =>
    parse({ messages }).messages.map(({ calls = [], results = [] }) => [calls, results]);

  it('are told by their ids', () => {
    const messages = [
      { role: 'assistant', tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'tool', tool_call_id: 'a', content: '' },
    ];
    expect(pairs(messages)).toEqual([
      [['a', 'b'], []],
      [[], ['b']],
      [[], ['a']],
    ]);
  });

  it('without ids by position, and those of legacy functions by their names', () => {
    const messages = [
      { role: 'assistant', tool_calls: [call()], function_call: { name: 'g' } },
      { role: 'function', name: 'g', content: '' },
      { role: 'tool', content: '' },
      { role: 'tool', content: '' },
      { role: 'function', name: 'f', content: '' },
    ];
    const [[calls], ...results] = pairs(messages) as [string[][], ...string[][][]];
    const [ofTool, ofFunction] = calls as [string, string];
    expect(results.slice(0, 2)).toEqual([
      [[], [ofFunction]],
      [[], [ofTool]],
    ]);
    expect(new Set([ofTool, ofFunction, ...results.flat(2)]).size).toBe(4);
  });
});

describe('a format is told from the shape', () => {
  it.each<[JsonObject, FormatName]>([
    [{ messages: [] }, 'openai-chat'],
    [{}, 'openai-chat'],
    [{ messages: [{ role: 'user', content: 'a', files: [] }] }, 'langroid'],
  ])('of %j', (request, name) => {
    expect(detectFormat(request).name).toBe(name);
  });
});

describe('issues', () => {
  it.each<[JsonObject, readonly string[]]>([
    [{}, ['/messages']],
    [{ messages: {} }, ['/messages']],
    [{ messages: LONG }, ['/messages']],
    [{ messages: ['a', null, []] }, ['/messages/0', '/messages/1', '/messages/2']],
    [{ messages: [{ content: 'a' }] }, ['/messages/0/role']],
    [
      { messages: [{ role: '' }, { role: LONG }, { role: 7 }] },
      ['/messages/0/role', '/messages/1/role', '/messages/2/role'],
    ],
    [{ messages: [{ role: 'user', content: 5 }] }, ['/messages/0/content']],
    [{ messages: [{ role: 'user', content: { type: 'text' } }] }, ['/messages/0/content']],
    [
      {
        messages: [
          {
            role: 'user',
            content: ['a', { text: 'a' }, { type: 'text' }, { type: LONG }, { type: 'refusal', refusal: 1 }],
          },
        ],
      },
      [
        '/messages/0/content/0',
        '/messages/0/content/1/type',
        '/messages/0/content/2/text',
        '/messages/0/content/3/type',
        '/messages/0/content/4/refusal',
      ],
    ],
    [{ messages: [{ role: 'user', name: 1 }] }, ['/messages/0/name']],
    [{ messages: [{ role: 'assistant', tool_calls: {} }] }, ['/messages/0/tool_calls']],
    [{ messages: [{ role: 'assistant', tool_calls: [{}, 'a'] }] }, ['/messages/0/tool_calls/1']],
    [{ messages: [{ role: 'assistant', function_call: 'a' }] }, ['/messages/0/function_call']],
    [{ messages: [], tools: 'a', functions: [1] }, ['/tools', '/functions/0']],
  ])('%#', (request, pointers) => {
    for (const format of ['openai-chat', 'langroid'] as const) {
      expect(issuesOf(request, format).map(({ pointer }) => pointer)).toEqual(pointers);
    }
  });

  it('point into files', () => {
    const files = [
      { content_base64: 1, url: {}, filename: LONG },
      { mime_type: 2, detail: [] },
    ];
    expect(
      issuesOf({ messages: [{ role: 'user', files }] }, 'langroid').map(({ pointer }) => pointer),
    ).toEqual([
      '/messages/0/files/0/content_base64',
      '/messages/0/files/0/filename',
      '/messages/0/files/0/url',
      '/messages/0/files/1/mime_type',
      '/messages/0/files/1/detail',
    ]);
    expect(issuesOf({ messages: [{ role: 'user', files: 'a' }] }, 'langroid')).toHaveLength(1);
  });

  it('are never many', () => {
    const content = Array.from({ length: 100_000 }, () => 1);
    expect(issuesOf({ messages: [{ role: 'user', content }] })).toHaveLength(MAX_ISSUES);
    expect(issuesOf({ messages: content })).toHaveLength(MAX_ISSUES);
    expect(issuesOf({ messages: [], tools: content })).toHaveLength(MAX_ISSUES);
  });
});
