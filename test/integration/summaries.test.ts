import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

const { url } = await startApi();

const long = 'what was said long ago '.repeat(100);

/** An old message and a new one, and nothing to instruct. */
const requests = {
  'openai-chat': {
    messages: [
      { role: 'user', content: long },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'And?' },
    ],
  },
  'openai-responses': {
    input: [
      { role: 'user', content: long },
      { role: 'user', content: 'And?' },
    ],
  },
  'anthropic-messages': {
    messages: [
      { role: 'user', content: long },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'And?' },
    ],
  },
  'bedrock-converse': {
    messages: [
      { role: 'user', content: [{ text: long }] },
      { role: 'assistant', content: [{ text: 'Yes.' }] },
      { role: 'user', content: [{ text: 'And?' }] },
    ],
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: long }] },
      { role: 'model', parts: [{ text: 'Yes.' }] },
      { role: 'user', parts: [{ text: 'And?' }] },
    ],
  },
  langchain: {
    messages: [
      { type: 'human', data: { content: long } },
      { type: 'human', data: { content: 'And?' } },
    ],
  },
  'ai-sdk': {
    messages: [
      { id: '1', role: 'user', parts: [{ type: 'text', text: long }] },
      { id: '2', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
    ],
  },
};

const call = async (path: string, body: object) => (await post(url, path, body)).body;

test.each(Object.entries(requests))('a summary makes its own place, in %s', async (format, request) => {
  const options = { encoding: 'o200k_base', format, model: 'gpt-4o' };
  const body = { ...options, request, budget_tokens: 150, max_output_tokens: 64, return: 'conversation' };
  const summary = { summary: 'They met in Oslo.', facts: { weather: 'rain' } };
  for (const strategy of ['drop_turns', 'truncate', 'trim']) {
    const answer = await call('/v1/preflight', { ...body, ...summary, strategy });
    expect(answer.outcome).not.toBe('fits');
    expect(answer.messages.map(({ index }: { index: number }) => index)).toEqual(
      Array.from(Object.values<unknown[]>(request)[0] ?? [], (_, index) => index),
    );
    expect(answer.edits).toContainEqual(expect.objectContaining({ op: expect.stringMatching('insert|set') }));
    const recount = await call('/v1/count', { ...options, request: answer.conversation });
    expect([strategy, recount.tokens]).toEqual([strategy, answer.tokens.after]);
    expect(answer.tokens.after).toBeLessThanOrEqual(150);
    expect(JSON.stringify(answer.conversation)).toContain('They met in Oslo.\\n- weather: rain');
    // An earlier one is replaced.
    const again = { ...body, request: answer.conversation, summary: 'They met again.', strategy };
    const { conversation } = await call('/v1/preflight', again);
    expect(JSON.stringify(conversation)).toContain('They met again.');
    expect(JSON.stringify(conversation)).not.toContain('Oslo');
  }
});

test('in a message of its own, it belongs to no message of the input', async () => {
  const request = requests['openai-chat'];
  const options = { encoding: 'o200k_base', model: 'gpt-4o', request, summary: 'They met in Oslo.' };
  const answer = await call('/v1/preflight', { ...options, pins: [2], strategy: 'drop_turns' });
  const content = '<earlier_conversation>\nThey met in Oslo.\n</earlier_conversation>';
  expect(answer.edits).toEqual([{ op: 'insert', before: 0, message: { role: 'system', content } }]);
  const alone = await call('/v1/count', {
    encoding: 'o200k_base',
    model: 'gpt-4o',
    request: { messages: [{ role: 'system', content }] },
  });
  expect(answer.tokens.request_overhead).toBe(alone.tokens);
});
