import { loadEncoder } from '@preflight/tokenizer';
import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

// Bodies as LiteLLM, vLLM and llama.cpp document them (count-endpoints.md §5, §6), and what differs in the other two.

const { url } = await startApi();
const model = 'gpt-4o';
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How is the weather in Paris?' },
];

const tokensOf = async (body: object) => (await post(url, '/v1/count', body)).body.tokens;

async function answer(path: string, body: object) {
  const { status, body: found, text } = await post(url, path, body);
  expect(status, text).toBe(200);
  const { preflight, ...others } = found;
  expect(preflight).toMatchObject({ encoding: 'o200k_base', rulesVersion: expect.any(String) });
  return others;
}

test('LiteLLM: a conversation, or a prompt', async () => {
  const path = '/utils/token_counter?call_endpoint=true';
  const shape = {
    request_model: model,
    model_used: model,
    tokenizer_type: 'openai_tokenizer',
    original_response: null,
  };
  const total_tokens = await tokensOf({ request: { model, messages } });
  expect(await answer(path, { model, messages })).toEqual({ ...shape, total_tokens });
  expect(await answer(path, { model, prompt: 'hello world' })).toEqual({ ...shape, total_tokens: 2 });
  const contents = [{ role: 'user', parts: [{ text: 'hello world' }] }];
  const ofContents = await tokensOf({ request: { model, contents } });
  expect(await answer(path, { model, contents })).toEqual({ ...shape, total_tokens: ofContents });
});

test('LiteLLM: a model behind the name of its vendor is that model', async () => {
  const bare = await answer('/utils/token_counter', { model, messages });
  const routed = await answer('/utils/token_counter', { model: `openai/${model}`, messages });
  expect(routed).toEqual({ ...bare, request_model: 'openai/gpt-4o', model_used: 'openai/gpt-4o' });
});

test('vLLM: a prompt, or a conversation with tools', async () => {
  const shape = { max_model_len: 128_000, tokens: [], token_strs: null };
  const completion = { model, prompt: 'hello world', add_special_tokens: true, return_token_strs: false };
  expect(await answer('/tokenize', completion)).toEqual({ ...shape, count: 2 });
  const tools = [{ type: 'function', function: { name: 'weather', description: 'Tells it' } }];
  const chat = { model, messages, tools, add_generation_prompt: true, continue_final_message: false };
  const count = await tokensOf({ request: { model, messages, tools } });
  expect(await answer('/tokenize', chat)).toEqual({ ...shape, count });
  const gone = { ...chat, add_generation_prompt: false, continue_final_message: true };
  expect(await answer('/tokenize', gone)).toEqual({ ...shape, count });
});

test('tokens are given of one text, if they are asked for, and up to a limit', async () => {
  const encoder = await loadEncoder('o200k_base');
  for (const text of ['hello world', 'Grüße 👩‍👩‍👧', ' a'.repeat(100_000)])
    for (const name of ['prompt', 'content']) {
      const { count, tokens } = await answer('/tokenize', { model, [name]: text, return_tokens: true });
      expect(tokens).toEqual([...encoder.encode(text)]);
      expect(count).toBe(tokens.length);
    }
  const body = { model, prompt: ' a'.repeat(100_001), return_tokens: true };
  const refused = await post(url, '/tokenize', body);
  expect([refused.status, refused.body.error.code]).toEqual([413, 413]);
  expect(await answer('/tokenize', { ...body, return_tokens: false })).toMatchObject({ count: 100_001 });
});

test('llama.cpp: content, and the input tokens of a chat', async () => {
  const body = { content: 'hello world', add_special: false, parse_special: true, with_pieces: false };
  const shape = { max_model_len: null, tokens: [], token_strs: null };
  expect(await answer('/tokenize', body)).toEqual({ ...shape, count: 2 });
  const input_tokens = await tokensOf({ request: { model, messages } });
  const chat = await answer('/v1/chat/completions/input_tokens', { model, messages, stream: true });
  expect(chat).toEqual({ object: 'response.input_tokens', input_tokens });
});

test('Gemini: a whole request counts in place of what stands beside it, in both spellings', async () => {
  const path = '/v1beta/models/gemini-2.5-pro:countTokens?key=a%20key';
  const contents = [{ role: 'user', parts: [{ text: 'hello world' }] }];
  const systemInstruction = { parts: [{ text: 'Be brief.' }] };
  const whole = { model: 'models/gemini-2.5-pro', contents, systemInstruction };
  const totalTokens = await tokensOf({ model: 'gemini-2.5-pro', request: whole });
  const shape = {
    totalTokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }],
    cachedContentTokenCount: 0,
    cacheTokensDetails: [],
  };
  const { systemInstruction: system_instruction, ...others } = whole;
  for (const body of [
    { generateContentRequest: whole },
    { generateContentRequest: whole, contents: [] },
    { generate_content_request: { ...others, system_instruction } },
    { ...others, systemInstruction },
  ])
    expect(await answer(path, body)).toEqual(shape);
  const elsewhere = [
    '/v1beta/models/tuned%2Fx:countTokens',
    '/v1beta1/publishers/google/models/gemini-2.5-pro:countTokens',
    '/v1beta1/projects/p/locations/global/publishers/google/models/gemini-2.5-pro:countTokens',
  ];
  for (const other of elsewhere) expect(await answer(other, whole)).toEqual(shape);
});

test('OpenAI: all is optional, and null is left out', async () => {
  const path = '/v1/responses/input_tokens';
  const nulls = {
    model: null,
    previous_response_id: null,
    conversation: null,
    instructions: null,
    tools: null,
  };
  const nothing = await answer(path, {});
  expect(await answer(path, nulls)).toEqual(nothing);
  const more = { personality: 'friendly', truncation: 'auto', parallel_tool_calls: true };
  expect(await answer(path, { ...more, reasoning: { effort: 'low' } })).toEqual(nothing);
  const { status } = await post(url, path, { conversation: { id: 'conv_1' } });
  expect(status).toBe(400);
});

test('attachments count by the provider’s own accounting, and the text that they travel as is told', async () => {
  const image_url = 'data:image/gif;base64,R0lGODlhAAQAA4AAAP8A/wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url }] }];
  const { body, headers } = await post(url, '/v1/responses/input_tokens', { model, input });
  const request = { request: { model, input } };
  expect(body.input_tokens).toBe(await tokensOf({ ...request, accounting: 'provider' }));
  expect(body.preflight).toMatchObject({ payload: await tokensOf(request), low: expect.any(Number) });
  expect(body.preflight.payload).not.toBe(body.input_tokens);
  expect(body.preflight.warnings.map(({ code }: { code: string }) => code)).toContain('attachment_estimate');
  expect(headers['x-preflight-payload']).toBe(String(body.preflight.payload));
});

test('what rests on no published rule is said to be an estimate', async () => {
  const path = '/v1/responses/input_tokens';
  const input = [{ role: 'user', content: 'hi' }];
  const reasoning = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] };
  const format = { type: 'json_schema', name: 'x', schema: { type: 'object' } };
  for (const [body, basis] of [
    [{ input }, 'formula'],
    [{ input: [...input, reasoning, { role: 'assistant', content: 'Yes.' }] }, 'estimate'],
    [{ input, text: { format } }, 'estimate'],
    [{ input: [...input, { type: 'item_reference', id: 'm' }] }, 'estimate'],
  ] as const)
    expect((await post(url, path, { model, ...body })).body.preflight.basis, JSON.stringify(body)).toBe(
      basis,
    );
});

test('what the provider keeps is said not to be counted', async () => {
  const path = '/v1beta/models/gemini-2.5-pro:countTokens';
  const generateContentRequest = { contents: [], cachedContent: 'cachedContents/1' };
  const { body } = await post(url, path, { generateContentRequest });
  expect(body.preflight).toMatchObject({ basis: 'estimate', warnings: [{ code: 'provider_state' }] });
  const request = { input: 'And?', previous_response_id: 'resp_1' };
  const fitted = await post(url, '/v1/preflight', { model, request });
  expect(fitted.body.warnings).toMatchObject([{ code: 'provider_state' }]);
});

test('conversations that a provider would refuse are counted all the same, and that is said', async () => {
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'gone', content: 'late' }] };
  const found = await answer('/v1/messages/count_tokens', { model: 'claude-sonnet-5', messages: [result] });
  expect(found.input_tokens).toBeGreaterThan(0);
  const unknown = { model: 'nobody-1', messages: [result] };
  const { body } = await post(url, '/v1/messages/count_tokens', unknown);
  expect(body.preflight.warnings).toMatchObject([{ code: 'unknown_model' }, { code: 'orphan_result' }]);
  const { tokens } = {
    tokens: await tokensOf({ request: { model: 'claude-sonnet-5', messages: [result] } }),
  };
  expect(found.input_tokens).toBe(tokens);
});

test('Anthropic: what is missing is refused as the vendor does, and unknown fields are told', async () => {
  const path = '/v1/messages/count_tokens';
  const claude = 'claude-sonnet-5';
  const hi = { role: 'user', content: 'hi' };
  const messageOf = async (body: Record<string, unknown>) => {
    const { status, body: refused } = await post(url, path, body);
    return [status, refused.error.type, refused.error.message];
  };
  expect(await messageOf({ model: claude, messages: [] })).toEqual([
    400,
    'invalid_request_error',
    'messages: at least one message is required.',
  ]);
  expect((await messageOf({ messages: [hi] })).at(-1)).toBe('model: Field required.');
  expect((await messageOf({ model: claude })).at(-1)).toBe('messages: Field required.');
  const empty = { model: claude, messages: [hi, { role: 'assistant', content: null }, { role: 'user' }] };
  expect((await messageOf(empty)).at(-1)).toBe(
    'messages.1.content: Field required; messages.2.content: Field required.',
  );
  const known = { model: claude, messages: [hi], thinking: { type: 'disabled' }, speed: 'fast' };
  const told = async (body: Record<string, unknown>) => {
    const { body: counted } = await post(url, path, body);
    return [counted.input_tokens, ...counted.preflight.warnings.map(({ code }: { code: string }) => code)];
  };
  const [tokens, ...warnings] = await told(known);
  expect(warnings).not.toContain('unknown_fields');
  expect(await told({ ...known, max_tokens: 5 })).toEqual([tokens, ...warnings, 'unknown_fields']);
});
