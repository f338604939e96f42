import { type Conversation, finish, type JsonObject, MARK } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS, MAX_ISSUES } from './index.js';
import { cut, decide } from './testing/decide.js';

const format = FORMATS.gemini;

function parse(request: JsonObject): Conversation {
  const result = finish(format.parse(request));
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.conversation;
}

const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const answer = (response: JsonObject, more: JsonObject = {}) => ({
  functionResponse: { name: 'f', response, ...more },
});

describe('what counts in a content', () => {
  it.each<[string, JsonObject, object]>([
    ['a text', { parts: [{ text: 'hi' }] }, { role: 'user', texts: ['hi'], attachments: [] }],
    [
      'texts, a thought and files',
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true },
          { text: 'a' },
          image,
          { file_data: { file_uri: 'u' } },
          { text: 'b' },
        ],
      },
      {
        role: 'assistant',
        texts: ['a', 'b'],
        attachments: [
          expect.objectContaining({ kind: 'part', part: image }),
          expect.objectContaining({ kind: 'part', part: { file_data: { file_uri: 'u' } } }),
        ],
        reasoning: ['hm'],
      },
    ],
    [
      'calls',
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'f', args: { q: 1 } }, thoughtSignature: 'AAAA' },
          { function_call: { name: 'g' } },
        ],
      },
      {
        role: 'assistant',
        texts: [],
        attachments: [],
        toolCalls: [
          { function: { name: 'f', arguments: { q: 1 } } },
          { function: { name: 'g', arguments: {} } },
        ],
        calls: ['a', expect.any(String)],
      },
    ],
    [
      'an answer that is a text',
      { role: 'user', parts: [answer({ result: 'done' }, { id: 'a' })] },
      {
        role: 'user',
        texts: ['done'],
        attachments: [],
        otherTexts: ['f'],
        results: ['a'],
        startsTurn: false,
      },
    ],
    [
      'answers that are data, with a file',
      { role: 'function', parts: [answer({ result: 'x', code: 0 }, { id: 'a', parts: [image] })] },
      {
        role: 'tool',
        texts: [],
        attachments: [expect.objectContaining({ kind: 'part', part: image })],
        keepsAttachments: true,
        otherParts: [{ name: 'f', response: { result: 'x', code: 0 } }],
        results: ['a'],
        startsTurn: false,
      },
    ],
    [
      'an answer beside a question, which begins a turn',
      { role: 'user', parts: [answer({ output: 'x' }, { id: 'a' }), { text: 'and?' }] },
      { role: 'user', texts: ['x', 'and?'], attachments: [], otherTexts: ['f'], results: ['a'] },
    ],
    [
      'code that was run, as it travels; a signature alone is nothing',
      {
        role: 'model',
        parts: [{ executableCode: { code: '1' } }, { thoughtSignature: 'AAAA' }, { text: null }, {}],
      },
      { role: 'assistant', texts: [], attachments: [], otherParts: [{ executableCode: { code: '1' } }] },
    ],
    [
      'what is a text and an answer as the answer that it is',
      { parts: [{ text: 'a', ...answer({ output: 'x' }, { id: 'a' }) }] },
      { role: 'user', texts: ['x'], attachments: [], otherTexts: ['f'], results: ['a'], startsTurn: false },
    ],
    ['nothing', { role: 'user' }, { role: 'user', texts: [], attachments: [] }],
  ])('%s', (_, content, expected) => {
    expect(parse({ contents: [content] }).messages).toEqual([expected]);
  });

  it('pairs calls and answers without ids by name and order', () => {
    const call = (name: string) => ({ functionCall: { name } });
    const contents = [
      { role: 'model', parts: [call('f'), call('g')] },
      { role: 'user', parts: [{ functionResponse: { name: 'g' } }, { functionResponse: { name: 'f' } }] },
    ];
    const [calls, results] = parse({ contents }).messages;
    expect(new Set(calls?.calls)).toEqual(new Set(results?.results));
    expect(calls?.calls?.[0]).toBe(results?.results?.[1]);
  });
});

it('says whether the first call of a content is signed, where the model asks for it', () => {
  const call = { functionCall: { name: 'f', args: {} } };
  const signed = { ...call, thoughtSignature: 's' };
  const contents = [
    [signed, call],
    [call, signed],
    [{ ...call, thought_signature: 's' }],
    [{ text: 'a' }],
  ].map((parts) => ({ role: 'model', parts }));
  const read = finish(format.parse({ contents }, 'models/gemini-3-pro-preview'));
  expect(read).toMatchObject({ conversation: { callsAreSigned: true } });
  expect(parse({ contents }).messages.map(({ hasUnsignedCall }) => hasUnsignedCall ?? false)).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(parse({ contents })).not.toHaveProperty('callsAreSigned');
});

describe('a request', () => {
  const declaration = { name: 'f', parameters: { type: 'OBJECT' } };
  const schema = { type: 'OBJECT' };
  it.each<[string, JsonObject]>([
    [
      'camelCase',
      {
        systemInstruction: { parts: [{ text: 'rules' }] },
        tools: [{ functionDeclarations: [declaration], codeExecution: {} }, { googleSearch: {} }],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
        generationConfig: { responseSchema: schema, maxOutputTokens: 7 },
      },
    ],
    [
      'snake_case',
      {
        system_instruction: 'rules',
        tools: [
          {
            function_declarations: [{ name: 'f', parameters_json_schema: { type: 'OBJECT' } }],
            codeExecution: {},
          },
          { googleSearch: {} },
        ],
        tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
        generation_config: { response_schema: schema, max_output_tokens: 7 },
      },
    ],
  ])('has instructions, functions, a choice, and the schema of the answer: %s', (_, fields) => {
    const request = { contents: [], ...fields };
    expect(parse(request)).toEqual({
      messages: [],
      protectedCount: 0,
      rolesAlternate: true,
      callsFollowUser: true,
      instructions: ['rules'],
      tools: [expect.objectContaining(declaration), { codeExecution: {} }, { googleSearch: {} }],
      toolChoice: { type: 'function', function: { name: 'f' } },
      schemas: [schema],
    });
    expect(format.maxOutput(request)).toBe(7);
    expect(format.providerState({ ...request, cached_content: 'c' })).toEqual(['cached_content']);
    expect(format.providerState({ ...request, cachedContent: null })).toEqual([]);
    expect(detectFormat(request).name).toBe('gemini');
  });

  it.each<[JsonObject, readonly string[]]>([
    [{}, ['/contents']],
    [{ contents: 'a', system_instruction: 5, tools: 5 }, ['/contents', '/system_instruction', '/tools']],
    [{ contents: ['a', null] }, ['/contents/0', '/contents/1']],
    [{ contents: [{ role: 5, parts: 'a' }] }, ['/contents/0/role', '/contents/0/parts']],
    [{ contents: [{ parts: ['a', { text: 5 }] }] }, ['/contents/0/parts/0']],
    [{ contents: [{ parts: [{ text: 5 }] }] }, ['/contents/0/parts/0/text']],
    [{ contents: [{ parts: [answer({}, { parts: 5 })] }] }, ['/contents/0/parts/0/functionResponse/parts']],
    [{ contents: [], systemInstruction: { parts: [{ text: 5 }] } }, ['/systemInstruction/parts/0/text']],
    [
      { contents: [{ parts: [{ inline_data: { data: { digest: 'x', bytes: 1 } } }] }] },
      ['/contents/0/parts/0/inline_data/data/digest'],
    ],
    [
      { contents: Array(100).fill(1) },
      Array.from({ length: MAX_ISSUES }, (_, index) => `/contents/${index}`),
    ],
  ])('that is wrong says where: %j', (request, pointers) => {
    const result = finish(format.parse(request));
    expect('issues' in result && result.issues.map(({ pointer }) => pointer)).toEqual(pointers);
  });
});

describe('edits', () => {
  it('cut texts and answers, and keep what has to answer a call or carries a signature', () => {
    const signed = { text: 'signed', thoughtSignature: 'AAAA' };
    const parts = [
      { text: 'first' },
      image,
      { text: 'second' },
      { text: 'third' },
      answer({ output: 'x' }),
      signed,
    ];
    const contents = [
      { role: 'user', parts: [{ text: 'hello' }] },
      { role: 'user', parts, unknown: 1 },
      { role: 'user', parts: [{ text: 'last' }] },
    ];
    const request = { contents, safetySettings: [] };
    const given = structuredClone(request);
    const edits = finish(format.edits(request, parse(request), decide(3, [cut(1, 1, 3)], [0])));
    const left = [parts[0], image, { text: `sec${MARK}` }, answer({ output: '' }), { ...signed, text: '' }];
    expect(edits).toEqual([
      { op: 'drop', index: 0 },
      { op: 'replace_content', index: 1, content: left },
    ]);
    expect(finish(format.apply(request, edits))).toEqual({
      contents: [{ ...contents[1], parts: left }, contents[2]],
      safetySettings: [],
    });
    expect(request).toEqual(given);
  });

  it('cut what a function answered', () => {
    const request = { contents: [{ role: 'user', parts: [answer({ content: 'a long one' }, { id: 'a' })] }] };
    const [edit] = finish(format.edits(request, parse(request), decide(1, [cut(0, 0, 6)], [])));
    expect(edit).toMatchObject({ content: [answer({ content: `a long${MARK}` }, { id: 'a' })] });
  });
});

it('files stand in parts, and in those of answers', () => {
  const part = (data: string) => ({ inline_data: { mime_type: 'image/png', data } });
  const request = (data: string) => ({
    contents: [{ parts: [part(data), { text: 't' }, answer({}, { parts: [part(data)] })] }, 'x'],
  });
  const replaced = format.replaceFiles(request('d'), (value, { form }) => `${form} of ${value}`);
  expect(replaced).toEqual(request('base64 of d'));
});
