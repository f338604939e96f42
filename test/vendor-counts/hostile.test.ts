import fc from 'fast-check';
import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { runs } from '../harness/runs.js';
import { conversations } from '../legality/conversations/index.js';

const { url } = await startApi();

/** What stands where something else is expected. */
const strange = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, '', 'a', [], {}, [[]], [null], { type: 5 }, { text: {} }),
  fc.constantFrom({ type: 'text' }, { role: 'user' }, { parts: [{}] }, { digest: 'x' }, 'y'.repeat(5000)),
  fc.jsonValue({ maxDepth: 3 }),
);

/** JSON with one value in it, wherever that stands, replaced by another. */
function withStrange(value: unknown, at: number, other: unknown): unknown {
  let left = at;
  const walk = (node: unknown): unknown => {
    if (left-- === 0) return other;
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value);
}

const ROUTES = {
  'openai-responses': '/v1/responses/input_tokens',
  'anthropic-messages': '/v1/messages/count_tokens',
  gemini: '/v1beta/models/gemini-2.5-pro:countTokens',
  'openai-chat': '/v1/chat/completions/input_tokens',
} as const;

test.each(Object.entries(ROUTES))(
  '%s: a request that is wrong somewhere is counted, or refused with the place',
  async (format, path) => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(conversations(format), fc.nat(200), strange, async ({ request, model }, at, other) => {
        const body = withStrange({ model, ...request }, at, other);
        const answer = await post(url, path, body);
        statuses.add(answer.status);
        expect([200, 400], answer.text).toContain(answer.status);
        expect(answer.body.error === undefined).toBe(answer.status === 200);
        const fit = { format, request: body, budget_tokens: 50, model: 'gpt-4o', return: 'conversation' };
        const fitted = await post(url, '/v1/preflight', fit);
        expect([200, 400, 422], fitted.text).toContain(fitted.status);
      }),
      runs(80),
    );
    expect([...statuses].sort()).toEqual([200, 400]);
  },
);

test.each([...Object.values(ROUTES), '/utils/token_counter', '/tokenize'])(
  '%s takes any JSON without failing',
  async (path) => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom('model', 'messages', 'input', 'contents', 'prompt', 'content', 'tools', 'system'),
          strange,
        ),
        async (body) => {
          const { status, text } = await post(url, path, body);
          expect([200, 400], text).toContain(status);
        },
      ),
      runs(100),
    );
  },
);
