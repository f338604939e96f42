import { type Conversation, finish, type JsonObject, type Steps } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { FORMATS, type Format } from '../index.js';
import { cut, decide } from '../testing/decide.js';

const MANY = 6400;

function stepsOf(steps: Steps<unknown>): number {
  let count = 0;
  while (!steps.next().done) count += 1;
  return count;
}

const blocks = {
  'anthropic-messages': {
    text: { type: 'text', text: 'a text' },
    result: (content: JsonObject[]) => ({ type: 'tool_result', tool_use_id: '1', content }),
  },
  'bedrock-converse': {
    text: { text: 'a text' },
    result: (content: JsonObject[]) => ({ toolResult: { toolUseId: '1', content } }),
  },
};

describe.each(Object.entries(blocks))(
  'long conversations in %s are read and changed in steps',
  (name, { text, result }) => {
    const format: Format = FORMATS[name as keyof typeof blocks];
    const requestOf = (content: JsonObject[]) => ({ messages: [{ role: 'user', content }] });
    const manyTexts = Array<JsonObject>(MANY).fill(text);

    it.each<[string, JsonObject]>([
      ['messages', { messages: Array<JsonObject>(MANY).fill({ role: 'user', content: [text] }) }],
      ['blocks', requestOf(manyTexts)],
      ['blocks in a result', requestOf([result(manyTexts)])],
      ['results', requestOf(Array<JsonObject>(MANY).fill(result([text])))],
    ])('%s', (_, request) => {
      expect(stepsOf(format.parse(request))).toBeGreaterThanOrEqual(90);
      const parsed = finish(format.parse(request)) as { conversation: Conversation };
      const { messages } = parsed.conversation;
      const last = (messages[0]?.texts.length as number) - 1;
      const decision = decide(messages.length, [cut(0, last, 1)], []);
      expect(stepsOf(format.edits(request, parsed.conversation, decision))).toBeGreaterThanOrEqual(90);
    });
  },
);
