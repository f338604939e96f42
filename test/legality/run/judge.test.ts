import { FORMATS } from '@preflight/formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../harness/runs.js';
import type { Plain } from '../checkers/index.js';
import { conversations, RENDERINGS, TRACE } from '../conversations/index.js';
import { entriesOf, isAsked } from './entries.js';
import { conversationFaults, isLegal, tokenFaults } from './judge.js';
import type { Fitted } from './service.js';

const asIf = (conversation: Plain, more: Partial<Fitted> = {}) =>
  ({
    conversation,
    edits: [],
    warnings: [],
    max_output_tokens: 1,
    tokens: { before: 9, after: 9, budget: 9, context_window: 10, request_overhead: 0 },
    ...more,
  }) as unknown as Fitted;

/** What a judge finds in an answer to a legal request that was changed in some way. */
function lawsBrokenBy(format: string, change: (messages: Plain[]) => Plain[]): Set<string> {
  const { list } = RENDERINGS[format] as (typeof RENDERINGS)[string];
  const broken = new Set<string>();
  fc.assert(
    fc.property(conversations(format), ({ request, model, disturbance }) => {
      if (disturbance !== undefined || !isLegal(format, request, model)) return;
      const fitted = asIf({ ...request, [list]: change([...entriesOf(request, list)]) });
      for (const { law } of conversationFaults({ format, model, request, fitted })) broken.add(law);
    }),
    runs(40),
  );
  return broken;
}

describe.each(Object.keys(FORMATS))('a judge of %s', (format) => {
  it('has nothing against a request as it was', () => {
    expect(lawsBrokenBy(format, (messages) => messages)).toEqual(new Set());
  });

  it('sees that the newest user message is gone', () => {
    const withoutNewest = (messages: Plain[]) => messages.toSpliced(messages.findLastIndex(isAsked), 1);
    expect(lawsBrokenBy(format, withoutNewest)).toContain('the newest user message is kept');
  });

  it('sees that messages have changed their places', () => {
    expect(lawsBrokenBy(format, (messages) => messages.toReversed())).toContain(
      'messages in input order, none twice',
    );
  });

  it('sees halves of pairs, by both checkers', () => {
    const broken = lawsBrokenBy(format, (messages) =>
      messages.filter((message) => Number(message[TRACE]) % 2 === 0),
    );
    const pairs = [...broken].filter((law) => /call|result|response/.test(law));
    // A UI message of the AI SDK holds both halves, but its model messages do not.
    expect(pairs.some((law) => law.startsWith('legality: '))).toBe(true);
    expect(pairs.some((law) => law.startsWith('own check: '))).toBe(true);
  });
});

it('instructions that changed, reasoning without its follower, thinking that should have gone or stayed', () => {
  const request = { instructions: 'a', input: [] };
  const fitted = asIf({ instructions: 'b', input: [] });
  const laws = conversationFaults({ format: 'openai-responses', model: '', request, fitted }).map(
    ({ law }) => law,
  );
  expect(laws).toContain('instructions and tools are kept');

  const dropsReasoning = (messages: Plain[]) => messages.filter(({ type }) => type !== 'reasoning');
  expect(lawsBrokenBy('openai-responses', dropsReasoning)).toContain('reasoning keeps its follower');

  const dropsFirst = (messages: Plain[]) => messages.slice(1);
  const dropsThinking = (messages: Plain[]) =>
    messages.map((message) => ({
      ...message,
      content: Array.isArray(message.content)
        ? message.content.filter(({ type }) => type !== 'thinking')
        : message.content,
    }));
  expect(lawsBrokenBy('anthropic-messages', dropsFirst)).toContain(
    'bound thinking goes when what is before it changes',
  );
  expect(lawsBrokenBy('anthropic-messages', dropsThinking)).toContain(
    'thinking of the turn under way is kept',
  );
});

it('figures that do not hold', () => {
  const request = { messages: [] };
  const lawsOf = (fitted: Fitted, recount: number) =>
    tokenFaults({ format: 'openai-chat', model: '', request, fitted, recount }).map(({ law }) => law);
  expect(lawsOf(asIf(request), 9)).toEqual([]);
  expect(lawsOf(asIf(request), 8)).toEqual(['recount is `after`']);
  expect(lawsOf(asIf(request, { max_output_tokens: 2 }), 9)).toEqual(['within the window']);
  expect(lawsOf(asIf({ messages: [1] }), 9)).toEqual(['unchanged without edits']);
  const edits = [{ op: 'drop' as const, index: 0 }];
  const tokens = { before: 20, after: 11, budget: 10, context_window: null, request_overhead: 0 };
  expect(lawsOf(asIf(request, { edits, tokens }), 11)).toEqual(['within the budget']);
});
