import { parseBody, writeJson } from '@preflight/body';
import type { CountResponse, PreflightResponse, Problem } from '@preflight/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startParts } from '../harness/in-process.js';
import { runs } from '../harness/runs.js';
import { conversations, RENDERINGS } from '../legality/conversations/index.js';

// A total is the sum of its parts, in its best figure and in both bounds, and never says more than its parts do.

const { answerer } = startParts();
const context = { instance: '/', requestId: 'x', signal: new AbortController().signal };

async function answerTo<Answer>(call: 'count' | 'preflight', body: object): Promise<Answer> {
  const answer = await answerer[call](parseBody(Buffer.from(JSON.stringify(body))), context);
  return JSON.parse(writeJson(answer.body).toString());
}

interface Part {
  readonly tokens: number;
  readonly low: number;
  readonly high: number;
  readonly basis: string;
}

type Parts = Pick<CountResponse, 'text_estimate' | 'overhead' | 'attachments'> & {
  readonly messages?: readonly { readonly content_tokens: number }[];
};

/** What an answer says that a request is made of. Instructions beside the messages are text, where nothing else is overhead. */
function partsOf(answer: Parts, requestOverhead = 0): Part[] {
  const { text_estimate, overhead, attachments = [], messages = [] } = answer;
  const instructions = overhead ? 0 : requestOverhead;
  const counted = messages.reduce((sum, { content_tokens }) => sum + content_tokens, instructions);
  const texts = text_estimate ?? { tokens: counted, low: counted, high: counted, basis: 'exact' };
  // What is refused counts as the most that is taken.
  const rows = attachments.map((row) => ({ ...row, tokens: row.tokens ?? row.high }));
  return [texts, ...(overhead ? [overhead] : []), ...rows];
}

const BASES = ['exact', 'formula', 'estimate', 'bound'];

function totalOf(parts: readonly Part[]): Part {
  const sumOf = (figure: 'tokens' | 'low' | 'high') => parts.reduce((sum, part) => sum + part[figure], 0);
  const weakest = Math.max(...parts.map(({ basis }) => BASES.indexOf(basis)));
  return {
    ...{ tokens: sumOf('tokens'), low: sumOf('low'), high: sumOf('high') },
    basis: BASES[weakest] as string,
  };
}

function expectInOrder({ low, tokens, high }: Part): void {
  expect([0, low, tokens, high]).toEqual([0, low, tokens, high].sort((a, b) => a - b));
}

const asked = fc.record({
  accounting: fc.constantFrom('payload', 'provider'),
  count: fc.constantFrom('request', 'content'),
  model: fc.constantFrom('gpt-4o', 'gpt-5.4', 'claude-opus-4-7', 'gemini-2.5-pro', 'nobody-knows-1'),
});

describe.each(Object.keys(RENDERINGS))('in %s', (format) => {
  test('a count is the sum of its parts', async () => {
    await fc.assert(
      fc.asyncProperty(conversations(format), asked, async ({ request }, options) => {
        const counted = await answerTo<CountResponse>('count', { ...options, format, request });
        const { low, high, basis } = counted;
        const parts = partsOf(counted, counted.request_overhead);
        for (const part of parts) expectInOrder(part);
        const expected = totalOf(parts);
        expect({ low, high, basis }).toEqual({
          low: expected.low,
          high: expected.high,
          basis: expected.basis,
        });
        if (counted.tokens !== null) expect(counted.tokens).toBe(expected.tokens);
      }),
      runs(15),
    );
  });

  test('the total before a fit is that sum, and after it what a recount says', async () => {
    await fc.assert(
      fc.asyncProperty(
        conversations(format),
        asked,
        fc.constantFrom('high', 'point'),
        fc.double({ min: 0.3, max: 1, noNaN: true }),
        async ({ request }, options, gate, share) => {
          const body = { ...options, format, request };
          const { high: highest } = await answerTo<CountResponse>('count', body);
          const fitted = await answerTo<PreflightResponse & Problem>('preflight', {
            ...{ ...body, gate, strategy: ['truncate', 'drop_turns'], return: 'conversation' },
            ...{ context_window: Math.ceil(highest * share) + 64, max_output_tokens: 64, buffer_tokens: 0 },
          });
          if (fitted.code !== undefined) return;
          const { before, after } = fitted.totals;
          expect(before).toEqual(totalOf(partsOf(fitted, fitted.tokens.request_overhead)));
          expectInOrder(after);
          const again = await answerTo<CountResponse>('count', { ...body, request: fitted.conversation });
          if (again.tokens !== null) expect(after.tokens).toBe(again.tokens);
        },
      ),
      runs(15),
    );
  });
});

test('the lower bound of a total is no lower than that of the texts in it', async () => {
  const body = { model: 'claude-opus-4-7', messages: [{ role: 'user', content: 'hello world' }] };
  const { low, text_estimate, overhead } = await answerTo<CountResponse>('count', body);
  expect(text_estimate?.low).toBeGreaterThan(0);
  expect(low).toBe((text_estimate?.low ?? 0) + (overhead?.low ?? 0));
});
