import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../harness/runs.js';
import { cases } from './conversations.js';
import { Fitter } from './fit-case.js';
import { attachmentTokens, contentTokens } from './message-parts.js';

const fitter = new Fitter();

test('content and attachments of every message are what tiktoken counts', async () => {
  await fc.assert(
    fc.asyncProperty(cases(), async (one) => {
      const { body, request, count } = await fitter.fit(one);
      expect(count.messages?.map((message) => [message.content_tokens, message.attachment_tokens])).toEqual(
        request.messages.map((message) => [
          contentTokens(message, one.encoding),
          attachmentTokens(message, one.encoding, body),
        ]),
      );
    }),
    runs(300),
  );
});

test('the tokens of messages add up to the totals', async () => {
  await fc.assert(
    fc.asyncProperty(cases(), async (one) => {
      const { count, fitted } = await fitter.fit(one);
      const before = sum(
        count.messages ?? [],
        (each) => each.content_tokens + each.attachment_tokens + each.other_tokens,
      );
      expect(before + (count.request_overhead ?? Number.NaN)).toBe(count.tokens);
      if (fitted === undefined) return;
      const { tokens, messages } = fitted;
      expect(tokens.request_overhead).toBe(count.request_overhead);
      expect(sum(messages, (each) => each.tokens_after) + tokens.request_overhead).toBe(tokens.after);
    }),
    runs(200),
  );
});

test('counting alone and fitting find the same tokens', async () => {
  await fc.assert(
    fc.asyncProperty(cases(), async (one) => {
      const { count, fitted, problem } = await fitter.fit(one);
      expect(fitted?.tokens.before ?? problem?.figures?.history_tokens_before).toBe(count.tokens);
      if (fitted === undefined) return;
      expect(fitted.messages.map(({ tokens_after, action, reason, ...counted }) => counted)).toEqual(
        count.messages,
      );
    }),
    runs(200),
  );
});

test('with count "content" nothing but content and attachments counts', async () => {
  await fc.assert(
    fc.asyncProperty(cases({ counts: ['content'] }), async (one) => {
      const { count } = await fitter.fit(one);
      expect(count.request_overhead).toBe(0);
      expect(count.messages?.every((message) => message.other_tokens === 0)).toBe(true);
    }),
    runs(50),
  );
});

function sum<Item>(items: readonly Item[], tokensOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + tokensOf(item), 0);
}
