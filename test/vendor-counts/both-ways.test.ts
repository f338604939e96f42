import { beforeAll, describe, expect, test } from 'vitest';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { post } from '../harness/http.js';

const model = 'gpt-4o';
const text = 'hello world';
const messages = [{ role: 'user', content: text }];

describe.each(BOTH_WAYS)('%s', (_, start) => {
  let service: Running;
  beforeAll(async () => {
    service = await start();
  });

  test.each<[string, object, object]>([
    ['/v1/messages/count_tokens', { model, messages }, { input_tokens: 9 }],
    ['/v1/responses/input_tokens', { model, input: text }, { input_tokens: 9 }],
    ['/v1beta/models/gpt-4o:countTokens', { contents: [{ parts: [{ text }] }] }, { totalTokens: 9 }],
    ['/utils/token_counter', { model, messages }, { total_tokens: 9 }],
    ['/tokenize', { model, prompt: text, return_tokens: true }, { count: 2, tokens: [24912, 2375] }],
    ['/v1/chat/completions/input_tokens', { model, messages }, { input_tokens: 9 }],
  ])('%s', async (path, body, expected) => {
    const answer = await post(service.url, path, body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject(expected);
  });
});
