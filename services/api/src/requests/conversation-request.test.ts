import { finish, type JsonObject } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { readConversation as readingConversation } from './conversation-request.js';

const messages = [{ role: 'user', content: 'hi' }];
const readConversation = (body: JsonObject, maxMessages: number) =>
  finish(readingConversation(body, maxMessages));

describe('a conversation', () => {
  test('may stand flat, beside options that are no part of it', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const read = readConversation({ messages, tools, model: 'm', strategy: 'truncate' }, 10);
    expect(read).toMatchObject({ request: { messages, tools }, pointerPrefix: '' });
    expect(read.request).not.toHaveProperty('model');
    expect(read.conversation.messages).toHaveLength(1);
  });

  test('may stand under request, all of which is kept', () => {
    const request = { messages, temperature: 1 };
    const read = readConversation({ request }, 10);
    expect(read.request).toBe(request);
    expect(read.pointerPrefix).toBe('/request');
  });

  test('may not stand in both places', () => {
    expect(() => readConversation({ request: { messages }, messages, tool_choice: 'auto' }, 10)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        issues: ['/messages', '/tool_choice'].map((pointer) => expect.objectContaining({ pointer })),
      }),
    );
  });

  test('has nulls for what is left out, in either place', () => {
    const nulls = { tools: null, tool_choice: null, functions: null, function_call: null };
    const flat = readConversation({ messages, ...nulls }, 10);
    expect(flat.request).toEqual({ messages, ...nulls });
    const nested = readConversation({ request: { messages, ...nulls }, ...nulls }, 10);
    expect(flat.conversation).toEqual(nested.conversation);
  });

  test('is read in its format', () => {
    const read = readConversation({ messages, format: 'langroid' }, 10);
    expect([read.format.name, read.conversation.protectedCount]).toEqual(['langroid', 1]);
  });
});

describe('the format', () => {
  const withFiles = { messages: [{ role: 'user', content: 'a', files: [] }] };

  test.each([
    ['of a request is told from its shape', { request: withFiles }, 'langroid'],
    ['of flat messages is the default one', withFiles, 'openai-chat'],
    ['that is named is taken', { request: withFiles, format: 'openai-chat' }, 'openai-chat'],
  ])('%s', (_, body: JsonObject, name) => {
    expect(readConversation(body, 10).format.name).toBe(name);
  });
});

describe('faults', () => {
  test.each([
    [{}, '/messages'],
    [{ messages: [5] }, '/messages/0'],
    [{ request: {} }, '/request/messages'],
    [{ messages, system: 'be brief' }, '/system'],
    [{ format: 'anthropic-messages', messages, functions: [] }, '/functions'],
    [{ request: { messages: [{ role: 'user', content: 5 }] } }, '/request/messages/0/content'],
  ])('of %j stand at %s', (body: JsonObject, pointer) => {
    expect(() => readConversation(body, 10)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        issues: [expect.objectContaining({ pointer })],
      }),
    );
  });

  test('too many messages are told before any is read', () => {
    expect(() => readConversation({ messages: Array(11).fill(5) }, 10)).toThrow(
      expect.objectContaining({ code: 'too_many_messages', params: { limit: 10, messages: 11 } }),
    );
  });
});
