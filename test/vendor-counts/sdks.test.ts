import Anthropic from '@anthropic-ai/sdk';
import { ApiError, GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { atEndOfFile } from '../harness/at-end-of-file.js';
import { post } from '../harness/http.js';
import { startServer } from '../harness/server-process.js';

// The vendors' own clients, pointed at a real process: each gets the number that `/v1/count` gives for the same request.

const { url } = await startServer({}, { atEnd: atEndOfFile });
const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'a key', maxRetries: 0 });
const anthropic = new Anthropic({ baseURL: url, apiKey: 'a key', maxRetries: 0 });
const gemini = new GoogleGenAI({ apiKey: 'a key', httpOptions: { baseUrl: url } });
const cloud = new GoogleGenAI({ vertexai: true, apiKey: 'a key', httpOptions: { baseUrl: url } });

async function counted(format: string, model: string, request: object): Promise<number> {
  const { status, body, text } = await post(url, '/v1/count', { format, model, request });
  expect(status, text).toBe(200);
  expect(body.tokens).toBeGreaterThan(0);
  return body.tokens;
}

const parameters = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Where' } },
} as const;

test.each<[string, Omit<OpenAI.Responses.InputTokenCountParams, 'model'>]>([
  ['a text', { input: 'How is the weather in Paris?' }],
  ['instructions and items', { instructions: 'Be brief.', input: [{ role: 'user', content: 'Paris?' }] }],
  [
    'tools, a call, reasoning and its result',
    {
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'weather', description: 'Tells it', parameters, strict: true }],
      tool_choice: 'auto',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Paris?' }] },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Look it up.' }] },
        { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Paris"}' },
        { type: 'function_call_output', call_id: 'c1', output: 'Rain, 12 degrees.' },
      ],
      text: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object', properties: {} } } },
    },
  ],
])('openai counts %s', async (_, request) => {
  for (const model of ['gpt-4o', 'gpt-5', 'gpt-6-astra']) {
    const answer = await openai.responses.inputTokens.count({ model, ...request });
    expect(answer.object).toBe('response.input_tokens');
    expect(answer.input_tokens).toBe(await counted('openai-responses', model, request));
  }
});

test.each<[string, Omit<Anthropic.MessageCountTokensParams, 'model'>]>([
  ['a text', { messages: [{ role: 'user', content: 'How is the weather in Paris?' }] }],
  ['a system prompt', { system: 'Be brief.', messages: [{ role: 'user', content: 'Paris?' }] }],
  [
    'tools, a call and its result',
    {
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      tools: [{ name: 'weather', description: 'Tells it', input_schema: parameters }],
      tool_choice: { type: 'auto' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Paris?' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Paris' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Rain, 12 degrees.' }] },
      ],
    },
  ],
])('anthropic counts %s', async (_, request) => {
  for (const model of ['claude-sonnet-5', 'claude-opus-4-1', 'gpt-4o']) {
    const { input_tokens } = await anthropic.messages.countTokens({ model, ...request });
    expect(input_tokens).toBe(await counted('anthropic-messages', model, request));
    const beta = await anthropic.beta.messages.countTokens({
      model,
      ...request,
      betas: ['of-tomorrow-2027-01-01'],
    } as Anthropic.Beta.MessageCountTokensParams);
    expect(beta.input_tokens).toBe(input_tokens);
  }
});

test('google counts contents', async () => {
  for (const model of ['gemini-2.5-pro', 'gemini-3-flash', 'tunedModels/of-mine']) {
    const { totalTokens } = await gemini.models.countTokens({ model, contents: 'How is the weather?' });
    const contents = [{ role: 'user', parts: [{ text: 'How is the weather?' }] }];
    expect(totalTokens).toBe(await counted('gemini', model, { contents }));
  }
});

test('google’s cloud counts contents, system instruction and tools', async () => {
  const model = 'gemini-2.5-pro';
  const contents = [
    { role: 'user', parts: [{ text: 'Paris?' }] },
    { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Paris' } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'Rain.' } } }] },
  ];
  const tools = [{ functionDeclarations: [{ name: 'weather', description: 'Tells it' }] }];
  const systemInstruction = { role: 'user', parts: [{ text: 'Be brief.' }] };
  const { totalTokens } = await cloud.models.countTokens({
    model,
    contents,
    config: { systemInstruction, tools },
  });
  expect(totalTokens).toBe(await counted('gemini', model, { contents, systemInstruction, tools }));
  const bare = await counted('gemini', model, { contents });
  expect(totalTokens).toBeGreaterThan(bare);
});

test('how the number came about is told where each client hands it on', async () => {
  const ofOpenai = openai.responses.inputTokens.count({ model: 'gpt-4o', input: 'hi' });
  const report = { basis: 'formula', encoding: 'o200k_base', payload: 8, warnings: [] };
  expect(await ofOpenai).toMatchObject({ preflight: report });
  const { response } = await ofOpenai.withResponse();
  expect(response.headers.get('x-preflight-basis')).toBe('formula');
  const messages = [{ role: 'user', content: 'hi' } as const];
  const ofAnthropic = await anthropic.messages.countTokens({ model: 'claude-sonnet-5', messages });
  expect(ofAnthropic).toMatchObject({ preflight: { basis: 'estimate' } });
  const ofGoogle = await gemini.models.countTokens({ model: 'gemini-2.5-pro', contents: 'hi' });
  expect(ofGoogle.sdkHttpResponse?.headers).toMatchObject({ 'x-preflight-basis': 'estimate' });
});

test('each client reads an error as its vendor’s own', async () => {
  const input = [{ role: 'user', content: 5 }] as never;
  const ofOpenai = await openai.responses.inputTokens.count({ input }).catch((error) => error);
  expect(ofOpenai).toBeInstanceOf(OpenAI.BadRequestError);
  expect(ofOpenai).toMatchObject({ type: 'invalid_request_error', param: 'input[0].content' });
  expect(ofOpenai.requestID).toMatch(/\S/);
  const state = await openai.responses.inputTokens
    .count({ previous_response_id: 'resp_1' })
    .catch((error) => error);
  expect(state).toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'previous_response_id' });

  const ofAnthropic = await anthropic.messages
    .countTokens({ model: 'claude-sonnet-5', messages: input })
    .catch((error) => error);
  expect(ofAnthropic).toBeInstanceOf(Anthropic.BadRequestError);
  expect(ofAnthropic.error).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  expect(ofAnthropic.message).toContain('messages.0.content');
  expect(ofAnthropic.requestID).toBe(ofAnthropic.error.request_id);

  const contents = [{ role: 'user', parts: [{ text: 5 }] }] as never;
  const ofGoogle = await gemini.models
    .countTokens({ model: 'gemini-2.5-pro', contents })
    .catch((error) => error);
  expect(ofGoogle).toBeInstanceOf(ApiError);
  expect(ofGoogle.status).toBe(400);
  expect(JSON.parse(ofGoogle.message).error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
});
