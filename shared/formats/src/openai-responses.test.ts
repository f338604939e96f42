import { type Conversation, finish, type Json, type JsonObject, MARK } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS, MAX_ISSUES } from './index.js';
import { cut, decide } from './testing/decide.js';

const format = FORMATS['openai-responses'];

function parse(request: JsonObject): Conversation {
  const result = finish(format.parse(request));
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.conversation;
}

const text = (value: Json) => ({ type: 'input_text', text: value, cache_control: {} });
const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' };
const screenshot = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' };
const functionCall = {
  type: 'function_call',
  id: 'fc',
  call_id: 'c1',
  name: 'f',
  arguments: '{"q":1}',
  status: 'x',
};

describe('what counts in an item', () => {
  it.each<[string, JsonObject, object]>([
    ['an easy message', { role: 'user', content: 'hi' }, { role: 'user', texts: ['hi'], attachments: [] }],
    [
      'a whole message',
      {
        type: 'message',
        role: 'user',
        content: [text('a'), image, text(null), text('b')],
        status: 'completed',
      },
      {
        role: 'user',
        texts: ['a', 'b'],
        attachments: [expect.objectContaining({ kind: 'part', part: image })],
      },
    ],
    [
      'an answer, with a refusal',
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'yes', annotations: [] },
          { type: 'refusal', refusal: 'no' },
        ],
      },
      { role: 'assistant', texts: ['yes'], attachments: [], otherTexts: ['no'] },
    ],
    [
      'reasoning, without what is encrypted',
      {
        type: 'reasoning',
        id: 'rs',
        summary: [{ type: 'summary_text', text: 's' }],
        content: [{ type: 'reasoning_text', text: 't' }],
        encrypted_content: 'AAAA',
      },
      { role: 'assistant', texts: [], attachments: [], reasoning: ['s', 't'], isBoundToNext: true },
    ],
    ['a call', functionCall, { role: 'assistant', texts: [], attachments: [], functionCall, calls: ['c1'] }],
    [
      'a call of a custom tool',
      { type: 'custom_tool_call', call_id: 'c2', name: 'f', input: 'x' },
      { role: 'assistant', texts: [], attachments: [], functionCall: expect.anything(), calls: ['c2'] },
    ],
    [
      'an output',
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
      { role: 'tool', texts: ['done'], attachments: [], results: ['c1'] },
    ],
    [
      'an output of parts',
      { type: 'custom_tool_call_output', call_id: 'c1', output: [text('done'), image] },
      {
        role: 'tool',
        texts: ['done'],
        attachments: [expect.objectContaining({ kind: 'part', part: image })],
        results: ['c1'],
      },
    ],
    [
      'a screenshot',
      { type: 'computer_call_output', call_id: 'c1', output: screenshot },
      {
        role: 'tool',
        texts: [],
        attachments: [expect.objectContaining({ kind: 'part', part: screenshot })],
        keepsAttachments: true,
        results: ['c1'],
      },
    ],
    [
      'an image that was made',
      { type: 'image_generation_call', id: 'i', result: 'AAAA' },
      {
        role: 'assistant',
        texts: [],
        attachments: [expect.objectContaining({ kind: 'part', part: expect.anything() })],
        keepsAttachments: true,
      },
    ],
  ])('%s', (_, item, expected) => {
    expect(parse({ input: [item] }).messages).toEqual([expected]);
  });

  const itself = (item: JsonObject) => ({ role: 'assistant', otherParts: [item] });
  const call = (item: JsonObject) => ({ role: 'assistant', toolCalls: [item] });
  const output = (item: JsonObject) => ({ role: 'tool', otherParts: [item] });
  it.each<[JsonObject, (item: JsonObject) => object, object]>([
    [{ type: 'web_search_call', id: 'ws', status: 'completed', action: {} }, call, {}],
    [{ type: 'shell_call', call_id: 's', action: {} }, call, { calls: ['s'] }],
    [{ type: 'shell_call_output', call_id: 's', output: [] }, output, { results: ['s'] }],
    [{ type: 'local_shell_call', id: 'l', call_id: 's', action: {} }, call, { calls: ['s'] }],
    [{ type: 'local_shell_call_output', id: 's', output: '' }, output, { results: ['s'] }],
    [{ type: 'program', call_id: 'p', code: '' }, call, { calls: ['p'] }],
    [{ type: 'program_output', call_id: 'p', result: '' }, output, { results: ['p'] }],
    [{ type: 'mcp_approval_request', id: 'a', arguments: '' }, call, { calls: ['a'] }],
    [{ type: 'mcp_approval_response', approval_request_id: 'a', approve: true }, output, { results: ['a'] }],
    [{ type: 'tool_search_call', call_id: null, arguments: {} }, call, {}],
    [{ type: 'item_reference', id: 'm' }, itself, {}],
    [{ id: 'm' }, itself, {}],
    [{ type: 'additional_tools', role: 'developer', tools: [] }, itself, { role: 'developer' }],
    [{ type: 'of tomorrow', content: 5 }, itself, {}],
  ])('an item of the provider’s own, whole: %j', (item, as, more) => {
    const whole = { texts: [], attachments: [], ...as(item), ...more };
    expect(parse({ input: [item] }).messages).toEqual([whole]);
  });
});

describe('a request', () => {
  it('may be a text, or have no input at all', () => {
    const message = { role: 'user', texts: ['hi'], attachments: [] };
    expect(parse({ input: 'hi' })).toEqual({ messages: [message], protectedCount: 0, tools: [] });
    expect(parse({}).messages).toEqual([]);
    expect([{ input: 'hi' }, { input: [{}, {}] }, {}].map(format.messageCount)).toEqual([1, 2, 0]);
  });

  it('has instructions, leading messages of developers, tools, a choice, and the schema of the answer', () => {
    const answer = { type: 'json_schema', name: 'x', schema: { type: 'object' } };
    const input = ['developer', 'system', 'user', 'system'].map((role) => ({ role, content: '' }));
    const tools = [{ type: 'function', name: 'f' }];
    const request = { instructions: 'rules', input, tools, tool_choice: 'auto', text: { format: answer } };
    expect(parse(request)).toMatchObject({
      instructions: ['rules'],
      protectedCount: 2,
      tools,
      toolChoice: 'auto',
      schemas: [answer],
    });
    expect(parse({ input, text: { format: { type: 'text' } } })).not.toHaveProperty('schemas');
    expect(format.maxOutput({ max_output_tokens: 5 })).toBe(5);
    const state = { previous_response_id: 'r', conversation: null };
    expect(format.providerState({ ...request, ...state })).toEqual(['previous_response_id']);
  });

  it.each<[JsonObject, string]>([
    [{ input: [] }, 'openai-responses'],
    [{ input: 'a' }, 'openai-responses'],
    [{ input: [], messages: [] }, 'openai-chat'],
  ])('is told from its shape: %j', (request, name) => {
    expect(detectFormat(request).name).toBe(name);
  });

  it.each<[JsonObject, readonly string[]]>([
    [{ input: {} }, ['/input']],
    [{ input: 5, instructions: [], tools: {} }, ['/input', '/instructions', '/tools']],
    [{ input: ['a', null, []] }, ['/input/0', '/input/1', '/input/2']],
    [
      { input: [{ content: 'a' }, { role: '', content: 5 }] },
      ['/input/0/role', '/input/1/role', '/input/1/content'],
    ],
    [
      { input: [{ role: 'user', content: ['a', { type: 5 }] }] },
      ['/input/0/content/0', '/input/0/content/1/type'],
    ],
    [{ input: [{ role: 'user', content: [{ type: 'input_text' }] }] }, ['/input/0/content/0/text']],
    [
      { input: [{ type: 'function_call_output', output: [{ type: 'refusal' }] }] },
      ['/input/0/output/0/refusal'],
    ],
    [{ input: [{ type: 'function_call_output', output: { a: 1 } }] }, ['/input/0/output']],
    [
      {
        input: [
          { role: 'user', content: [{ ...image, image_url: { digest: 'x', bytes: 1, mime_type: 'a' } }] },
        ],
      },
      ['/input/0/content/0/image_url/digest'],
    ],
    [{ input: Array(100).fill(1) }, Array.from({ length: MAX_ISSUES }, (_, index) => `/input/${index}`)],
  ])('that is wrong says where: %j', (request, pointers) => {
    const result = finish(format.parse(request));
    expect('issues' in result && result.issues.map(({ pointer }) => pointer)).toEqual(pointers);
  });
});

describe('edits', () => {
  const input = [
    { role: 'user', content: 'grüße an alle', id: 'u' },
    functionCall,
    {
      type: 'function_call_output',
      call_id: 'c1',
      output: [text('first'), image, text(null), text('second'), text('third')],
    },
    { role: 'assistant', content: [{ type: 'output_text', text: 'answer', annotations: [1] }] },
    { role: 'user', content: 'last' },
  ];
  const request = { model: 'm', input, metadata: null };

  it('replace contents and outputs in the form they had, and drop items', () => {
    const given = structuredClone(request);
    const decision = decide(5, [cut(0, 0, 6), cut(2, 1, 3), cut(3, 0, 2)], [1]);
    const edits = finish(format.edits(request, parse(request), decision));
    const output = [text('first'), image, text(null), text(`sec${MARK}`)];
    const content = [{ type: 'output_text', text: `an${MARK}`, annotations: [1] }];
    expect(edits).toEqual([
      { op: 'replace_content', index: 0, content: `grüß${MARK}` },
      { op: 'drop', index: 1 },
      { op: 'replace_content', index: 2, content: output },
      { op: 'replace_content', index: 3, content },
    ]);
    expect(finish(format.apply(request, edits))).toEqual({
      ...request,
      input: [
        { ...input[0], content: `grüß${MARK}` },
        { ...input[2], output },
        { ...input[3], content },
        input[4],
      ],
    });
    expect(request).toEqual(given);
  });

  it('set an input that is a text', () => {
    const edits = finish(
      format.edits({ input: 'abc' }, parse({ input: 'abc' }), decide(1, [cut(0, 0, 1)], [])),
    );
    expect(edits).toEqual([{ op: 'set', pointer: '/input', value: `a${MARK}` }]);
    expect(finish(format.apply({ input: 'abc', a: 1 }, edits))).toEqual({ input: `a${MARK}`, a: 1 });
  });

  it('are none where nothing changes', () => {
    for (const one of [request, { input: 'a' }, {}])
      expect(finish(format.edits(one, parse(one), decide(5, [], [])))).toEqual([]);
    expect(finish(format.apply(request, []))).toEqual(request);
  });
});

it('files stand in parts of messages and of outputs', () => {
  const file = { type: 'input_file', filename: 'n', file_data: 'd' };
  const named = (part: JsonObject) => ({
    ...part,
    ...('file_data' in part ? { file_data: 'data_uri of d' } : {}),
  });
  const request = (part: JsonObject) => ({
    input: [
      { role: 'user', content: [part, text('t')] },
      { type: 'function_call_output', output: [part] },
      { type: 'computer_call_output', output: part },
      { type: 'reasoning', summary: [] },
    ],
  });
  expect(format.replaceFiles(request(file), (value, { form }) => `${form} of ${value}`)).toEqual(
    request(named(file)),
  );
  const made = { input: [{ type: 'image_generation_call', result: 'd' }] };
  const replaced = format.replaceFiles(made, (value, { form }) => `${form} of ${value}`);
  expect(replaced).toEqual({ input: [{ type: 'image_generation_call', result: 'base64 of d' }] });
});
