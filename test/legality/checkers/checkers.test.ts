import { describe, expect, it } from 'vitest';
import { CHECKERS, type Plain, RULES, type Rule } from './index.js';

const chatCall = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const chatResult = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'r' });
const user = { role: 'user', content: 'u' };
const assistant = { role: 'assistant', content: 'a' };

const use = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
});
const result = (...ids: string[]) => ({
  role: 'user',
  content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })),
});
const text = (value: string) => ({ type: 'text', text: value });
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'r' });
const reasoning = { type: 'reasoning', id: 'rs', summary: [] };

const asked = { role: 'user', parts: [{ text: 'u' }] };
const calling = (...names: string[]) => ({
  role: 'model',
  parts: names.map((name) => ({ functionCall: { name, args: {} }, thoughtSignature: 's' })),
});
const responding = (...names: string[]) => ({
  role: 'user',
  parts: names.map((name) => ({ functionResponse: { name, response: {} } })),
});

const said = (role: string, ...content: Plain[]) => ({ role, content });
const toolUse = (id: string) => ({ toolUse: { toolUseId: id, name: 'f', input: {} } });
const toolResult = (id: string) => ({ toolResult: { toolUseId: id, content: [{ text: 'r' }] } });
const pdf = { document: { format: 'pdf', name: 'n', source: { bytes: 'AA==' } } };

const toolCall = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'f', input: {} });
const toolAnswer = (id: string) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'f',
  output: { type: 'text', value: 'r' },
});
const uiTool = (state: string) => ({ type: 'tool-f', toolCallId: 'a', state, input: {} });

const stored = (type: string, data: Plain) => ({ type, data });
const built = (name: string, kwargs: Plain) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', name],
  kwargs,
});

interface Legal {
  readonly format: string;
  readonly what: string;
  readonly request: Plain;
  readonly model?: string;
}

const LEGAL: readonly Legal[] = [
  {
    format: 'openai-chat',
    what: 'parallel calls, results in another order, two of one role, null content',
    request: {
      messages: [
        { role: 'system', content: 's' },
        { role: 'developer', content: 'd' },
        user,
        { role: 'user', content: [text('t'), { type: 'image_url', image_url: { url: 'https://x' } }] },
        chatCall('a', 'b'),
        chatResult('b'),
        chatResult('a'),
        assistant,
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'r' },
        user,
      ],
    },
  },
  {
    format: 'openai-chat',
    what: 'an id that is used again later',
    request: { messages: [user, chatCall('a'), chatResult('a'), chatCall('a'), chatResult('a')] },
  },
  { format: 'openai-responses', what: 'a string', request: { input: 'hello' } },
  {
    format: 'openai-responses',
    what: 'reasoning before calls and answers, images in outputs',
    request: {
      input: [
        user,
        reasoning,
        call('a'),
        call('b'),
        { ...output('b'), output: [{ type: 'input_image', image_url: 'https://x' }] },
        output('a'),
        reasoning,
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] },
        user,
      ],
    },
  },
  {
    format: 'openai-responses',
    what: 'outputs of calls that the provider has',
    request: { previous_response_id: 'resp_1', input: [output('a')] },
  },
  {
    format: 'anthropic-messages',
    what: 'thinking, parallel calls, results before text, media in results, a system message',
    model: 'claude-opus-4-6',
    request: {
      system: [text('s')],
      messages: [
        { role: 'user', content: [png, text('t')] },
        {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: '', signature: 's' }, ...use('a', 'b').content],
        },
        {
          role: 'user',
          content: [{ ...result('b').content[0], content: [png] }, ...result('a').content, text('and')],
        },
        assistant,
        { role: 'system', content: 's' },
        user,
      ],
    },
  },
  {
    format: 'anthropic-messages',
    what: 'an answer begun, for an older model',
    model: 'claude-sonnet-4-5',
    request: { messages: [user, assistant] },
  },
  {
    format: 'gemini',
    what: 'calls by position, signatures, media, snake_case',
    model: 'gemini-3-pro',
    request: {
      systemInstruction: { parts: [{ text: 's' }] },
      contents: [
        asked,
        calling('f', 'f'),
        responding('f', 'f'),
        { role: 'model', parts: [{ function_call: { name: 'g' }, thought_signature: 's' }] },
        { role: 'user', parts: [{ function_response: { name: 'g', response: {} } }] },
        { role: 'model', parts: [{ text: 'a' }] },
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] },
      ],
    },
  },
  {
    format: 'bedrock-converse',
    what: 'calls, results, a document beside text',
    request: {
      modelId: 'm',
      system: [{ text: 's' }],
      messages: [
        said('user', { text: 'u' }, pdf),
        said('assistant', toolUse('a'), toolUse('b')),
        said('user', toolResult('b'), toolResult('a')),
        said('assistant', { text: 'a' }),
        said('user', { text: 'u' }),
      ],
    },
  },
  {
    format: 'ai-sdk',
    what: 'model messages',
    request: {
      messages: [
        user,
        said('assistant', toolCall('a'), toolCall('b')),
        said('tool', toolAnswer('b'), toolAnswer('a')),
        assistant,
      ],
    },
  },
  {
    format: 'ai-sdk',
    what: 'UI messages',
    request: {
      messages: [
        { id: '1', role: 'user', parts: [text('u')] },
        { id: '2', role: 'assistant', parts: [uiTool('output-available')] },
      ],
    },
  },
  {
    format: 'langchain',
    what: 'stored, constructor and plain messages',
    request: {
      messages: [
        stored('human', { content: 'u' }),
        stored('ai', { content: '', tool_calls: [{ id: 'a', name: 'f', args: {} }] }),
        built('ToolMessage', { content: 'r', tool_call_id: 'a' }),
        chatCall('b'),
        chatResult('b'),
      ],
    },
  },
  {
    format: 'langroid',
    what: 'files',
    request: { messages: [{ ...user, files: [{ filename: 'a', mime_type: 'image/png' }] }] },
  },
];

/** With what its provider asks for beside the messages. */
function complete(format: string, request: Plain): Plain {
  return format === 'anthropic-messages' ? { max_tokens: 1, ...request } : request;
}

describe.each(LEGAL)('$format takes $what', ({ format, request, model = '' }) => {
  it('and finds nothing', () => {
    expect(CHECKERS[format]?.(complete(format, request), model)).toEqual([]);
  });
});

const many = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
const megabytes = (count: number) => 'A'.repeat(count * 1_000_000);
const chat = (...messages: Plain[]): Plain => ({ messages });
const gemini = (...contents: Plain[]): Plain => ({ contents });
const input = (...items: Plain[]): Plain => ({ input: items });

/** [format, rule, place, request, model] */
const ILLEGAL: readonly [string, Rule, string, Plain, string?][] = [
  ['openai-chat', 'no_messages', '/messages', chat()],
  ['openai-chat', 'unknown_role', '/messages/0/role', chat({ role: 'critic', content: 'c' })],
  ['openai-chat', 'ill_formed_string', '/messages/0/content', chat({ role: 'user', content: 'a\ud83d' })],
  ['openai-chat', 'ill_formed_string', '/messages/0/~1\ufffd', chat({ ...user, '/\udc00': 1 })],
  ['openai-chat', 'empty_content', '/messages/0/content', chat({ role: 'user', content: [] })],
  ['openai-chat', 'empty_content', '/messages/0/content', chat({ role: 'user', content: null })],
  ['openai-chat', 'empty_content', '/messages/1/content', chat(user, { role: 'assistant', tool_calls: [] })],
  [
    'openai-chat',
    'malformed',
    '/messages/0/content/0',
    chat(said('user', { type: 'image_url', image_url: 'u' })),
  ],
  [
    'openai-chat',
    'misplaced_part',
    '/messages/0/function_call',
    chat({ ...user, function_call: { name: 'f' } }),
  ],
  ['openai-responses', 'empty_content', '/input/0/content', { input: [{ role: 'user' }] }],
  ['anthropic-messages', 'missing_field', '/max_tokens', chat(user)],
  ['anthropic-messages', 'no_messages', '/messages', chat({ role: 'system', content: 's' })],
  [
    'openai-chat',
    'misplaced_media',
    '/messages/1/content/0',
    chat(user, { role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'u' } }] }),
  ],
  ['openai-chat', 'misplaced_part', '/messages/0/tool_calls', chat({ ...chatCall('a'), role: 'user' })],
  ['openai-chat', 'result_without_call', '/messages/1', chat(user, chatResult('a'))],
  [
    'openai-chat',
    'result_without_call',
    '/messages/3',
    chat(user, chatCall('a'), chatResult('a'), chatResult('a')),
  ],
  [
    'openai-chat',
    'call_without_result',
    '/messages/1/tool_calls/1',
    chat(user, chatCall('a', 'b'), chatResult('a'), user),
  ],
  ['openai-chat', 'call_without_result', '/messages/1/tool_calls/0', chat(user, chatCall('a'))],
  [
    'openai-chat',
    'reused_call_id',
    '/messages/1/tool_calls/1',
    chat(user, chatCall('a', 'a'), chatResult('a')),
  ],
  [
    'openai-chat',
    'result_without_call',
    '/messages/1',
    chat(user, { role: 'function', name: 'f', content: 'r' }),
  ],
  [
    'openai-chat',
    'call_without_result',
    '/messages/1/function_call',
    chat(user, { role: 'assistant', content: null, function_call: {} }, user),
  ],
  [
    'openai-chat',
    'too_many_media',
    '/messages',
    chat({ role: 'user', content: many(1501, { type: 'image_url', image_url: { url: 'u' } }) }),
  ],
  ['openai-responses', 'no_messages', '/input', input()],
  ['openai-responses', 'unknown_role', '/input/0/role', input({ role: 'tool', content: 'c' })],
  ['openai-responses', 'empty_content', '/input/0/content', input({ role: 'user', content: [] })],
  [
    'openai-responses',
    'misplaced_media',
    '/input/0/content/0',
    input({ role: 'assistant', content: [{ type: 'input_image', image_url: 'u' }] }),
  ],
  ['openai-responses', 'result_without_call', '/input/1', input(user, output('a'))],
  ['openai-responses', 'result_without_call', '/input/0', input(output('a'), call('a'), output('a'))],
  ['openai-responses', 'call_without_result', '/input/1', input(user, call('a'), user)],
  ['openai-responses', 'reused_call_id', '/input/1', input(call('a'), call('a'), output('a'))],
  ['openai-responses', 'reasoning_alone', '/input/1', input(user, reasoning, user)],
  ['openai-responses', 'reasoning_alone', '/input/1', input(call('a'), reasoning, output('a'))],
  ['openai-responses', 'reasoning_alone', '/input/1', input(user, reasoning)],
  [
    'openai-responses',
    'too_many_media',
    '/input',
    input({ role: 'user', content: many(1501, { type: 'input_image' }) }),
  ],
  ['anthropic-messages', 'no_messages', '/messages', chat()],
  ['anthropic-messages', 'unknown_role', '/messages/0/role', chat({ role: 'tool', content: 'c' })],
  [
    'anthropic-messages',
    'empty_content',
    '/messages/0/content',
    chat({ role: 'user', content: ' ' }, assistant),
  ],
  ['anthropic-messages', 'empty_content', '/messages/0/content/0', chat(said('user', text('')))],
  ['anthropic-messages', 'misplaced_media', '/messages/1/content/0', chat(user, said('assistant', png))],
  [
    'anthropic-messages',
    'misplaced_part',
    '/messages/1/content/0',
    chat(user, said('assistant', ...result('a').content)),
  ],
  [
    'anthropic-messages',
    'unsigned_thinking',
    '/messages/1/content/0',
    chat(user, said('assistant', { type: 'thinking', thinking: 't' }, text('a'))),
  ],
  ['anthropic-messages', 'result_without_call', '/messages/0/content/0', chat(result('a'))],
  [
    'anthropic-messages',
    'result_without_call',
    '/messages/2/content/1',
    chat(user, use('a'), result('a', 'b')),
  ],
  [
    'anthropic-messages',
    'call_without_result',
    '/messages/1/content/1',
    chat(user, use('a', 'b'), result('a')),
  ],
  ['anthropic-messages', 'call_without_result', '/messages/1/content/0', chat(user, use('a'))],
  [
    'anthropic-messages',
    'results_split',
    '/messages/1/content/1',
    chat(user, use('a', 'b'), result('a'), result('b')),
  ],
  ['anthropic-messages', 'reused_call_id', '/messages/1/content/1', chat(user, use('a', 'a'), result('a'))],
  [
    'anthropic-messages',
    'results_behind_text',
    '/messages/2/content/1',
    chat(user, use('a'), said('user', text('t'), ...result('a').content)),
  ],
  ['anthropic-messages', 'misplaced_system', '/messages/0', chat({ role: 'system', content: 's' }, user)],
  [
    'anthropic-messages',
    'misplaced_system',
    '/messages/2',
    chat(user, use('a'), { role: 'system', content: 's' }, result('a')),
  ],
  ['anthropic-messages', 'prefill', '/messages/1', chat(user, assistant), 'claude-opus-4-6'],
  ['anthropic-messages', 'roles_alternate', '/messages/1', chat(user, user)],
  ['anthropic-messages', 'too_many_media', '/messages', chat(said('user', ...many(601, png)))],
  [
    'anthropic-messages',
    'item_too_large',
    '/messages/0/content/0',
    chat(said('user', { ...png, source: { type: 'base64', data: megabytes(11) } })),
  ],
  ['anthropic-messages', 'body_too_large', '', chat({ role: 'user', content: megabytes(33) })],
  ['gemini', 'no_messages', '/contents', gemini()],
  ['gemini', 'unknown_role', '/contents/0/role', gemini({ ...asked, role: 'assistant' })],
  ['gemini', 'empty_content', '/contents/0/parts', gemini({ role: 'user', parts: [] })],
  ['gemini', 'misplaced_part', '/contents/0/parts/0', gemini({ ...calling('f'), role: 'user' })],
  ['gemini', 'result_without_call', '/contents/1/parts/0', gemini(asked, responding('f'))],
  ['gemini', 'result_without_call', '/contents/2/parts/0', gemini(asked, calling('f'), responding('g'))],
  ['gemini', 'response_count', '/contents/1/parts/0', gemini(asked, calling('f', 'f'), responding('f'))],
  ['gemini', 'response_count', '/contents/1/parts/0', gemini(asked, calling('f'))],
  ['gemini', 'call_turn_order', '/contents/0/parts/0', gemini(calling('f'), responding('f'))],
  [
    'gemini',
    'call_turn_order',
    '/contents/2/parts/0',
    gemini(asked, { role: 'model', parts: [{ text: 'a' }] }, calling('f'), responding('f')),
  ],
  [
    'gemini',
    'missing_signature',
    '/contents/1/parts/0',
    gemini(asked, { role: 'model', parts: [{ functionCall: { name: 'f' } }] }, responding('f')),
    'gemini-3-pro',
  ],
  [
    'gemini',
    'too_many_media',
    '/contents',
    gemini({ role: 'user', parts: many(3601, { inlineData: { mimeType: 'image/png' } }) }),
  ],
  ['gemini', 'body_too_large', '', gemini({ role: 'user', parts: [{ text: megabytes(101) }] })],
  ['bedrock-converse', 'no_messages', '/messages', chat()],
  ['bedrock-converse', 'starts_with_user', '/messages/0', chat(said('assistant', { text: 'a' }))],
  [
    'bedrock-converse',
    'unknown_role',
    '/messages/1/role',
    chat(said('user', { text: 'u' }), said('system', { text: 's' })),
  ],
  ['bedrock-converse', 'empty_content', '/messages/0/content', chat(said('user'))],
  ['bedrock-converse', 'empty_content', '/messages/0/content/0', chat(said('user', { text: ' ' }))],
  [
    'bedrock-converse',
    'misplaced_media',
    '/messages/1/content/1',
    chat(said('user', { text: 'u' }), said('assistant', { text: 'a' }, pdf)),
  ],
  ['bedrock-converse', 'misplaced_part', '/messages/0/content/0', chat(said('user', toolUse('a')))],
  ['bedrock-converse', 'document_alone', '/messages/0/content/0', chat(said('user', pdf))],
  ['bedrock-converse', 'result_without_call', '/messages/0/content/0', chat(said('user', toolResult('a')))],
  [
    'bedrock-converse',
    'call_without_result',
    '/messages/1/content/0',
    chat(said('user', { text: 'u' }), said('assistant', toolUse('a')), said('user', { text: 'u' })),
  ],
  [
    'bedrock-converse',
    'roles_alternate',
    '/messages/1',
    chat(said('user', { text: 'u' }), said('user', { text: 'u' })),
  ],
  ['bedrock-converse', 'too_many_media', '/messages', chat(said('user', { text: 'u' }, ...many(6, pdf)))],
  [
    'bedrock-converse',
    'item_too_large',
    '/messages/0/content/1',
    chat(said('user', { text: 'u' }, { document: { format: 'txt', source: { bytes: megabytes(7) } } })),
  ],
  ['ai-sdk', 'no_messages', '/messages', chat()],
  ['ai-sdk', 'unknown_role', '/messages/0/role', chat({ role: 'tool', parts: [text('t')] })],
  ['ai-sdk', 'empty_content', '/messages/0/parts', chat({ role: 'user', parts: [] })],
  ['ai-sdk', 'misplaced_part', '/messages/0/content/0', chat(said('user', toolCall('a')))],
  [
    'ai-sdk',
    'call_without_result',
    '/messages/1/content/0',
    chat(user, said('assistant', toolCall('a')), user),
  ],
  [
    'ai-sdk',
    'call_without_result',
    '/messages/1/parts/0',
    chat(user, { role: 'assistant', parts: [uiTool('input-available')] }),
  ],
  ['ai-sdk', 'result_without_call', '/messages/1/content/0', chat(user, said('tool', toolAnswer('a')))],
  ['langchain', 'no_messages', '/messages', chat()],
  ['langchain', 'unknown_role', '/messages/0', chat(stored('critic', { content: 'c' }))],
  ['langchain', 'empty_content', '/messages/0', chat(stored('human', { content: [] }))],
  [
    'langchain',
    'result_without_call',
    '/messages/1',
    chat(stored('human', { content: 'u' }), stored('tool', { content: 'r', tool_call_id: 'a' })),
  ],
  [
    'langchain',
    'call_without_result',
    '/messages/0',
    chat(built('AIMessage', { content: '', tool_calls: [{ id: 'a' }] })),
  ],
  [
    'langchain',
    'call_without_result',
    '/messages/0',
    chat(stored('ai', { content: '', additional_kwargs: { tool_calls: [{ id: 'a' }] } })),
  ],
  ['langroid', 'misplaced_media', '/messages/1/files', chat(user, { ...assistant, files: [{}] })],
  ['langroid', 'result_without_call', '/messages/1', chat(user, chatResult('a'))],
];

describe('what a provider refuses is found at its place', () => {
  it.each(ILLEGAL)('%s: %s at %s', (format, rule, pointer, request, model = '') => {
    expect(CHECKERS[format]?.(request, model)).toContainEqual({ rule, pointer });
  });

  it('for every rule there is', () => {
    const provoked = new Set(ILLEGAL.map(([, rule]) => rule));
    expect([...provoked].sort()).toEqual(Object.keys(RULES).sort());
  });
});
