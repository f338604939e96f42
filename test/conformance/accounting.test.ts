import { readFileSync } from 'node:fs';
import type { CountResponse } from '@preflight/contracts';
import type { Json } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { startParts } from '../harness/in-process.js';

interface Vector {
  readonly id: string;
  readonly model: string;
  readonly input: { readonly kind: string } & Record<string, Json>;
  readonly tokens: number | null;
  readonly tolerance?: number;
  readonly tokensMin?: number;
  readonly tokensMax?: number;
  readonly error?: string;
}

const [, ...VECTORS] = readFileSync('shared/accounting/src/vectors/accounting.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);

const { answerer } = startParts();

async function count(body: Record<string, Json>): Promise<CountResponse> {
  const context = { instance: '/v1/count', requestId: 'vector', signal: new AbortController().signal };
  return (await answerer.count(body, context)).body as unknown as CountResponse;
}

/** Vectors are in the words of the code, the wire has an underscore. */
const onTheWire = (facts: Record<string, Json>) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

const isMedia = ({ input }: Vector) => ['image', 'pdf', 'audio', 'video'].includes(input.kind);

describe('what providers make of stated attachments', () => {
  it.each(VECTORS.filter(isMedia))('$id', async ({ model, input, error, ...expected }) => {
    const { tokens, attachments } = await count({
      model,
      accounting: 'provider',
      attachments: [onTheWire(input)],
    });
    const [row] = attachments ?? [];
    expect(row?.tokens).toBe(tokens);
    expect(row?.error).toBe(error);
    if (error !== undefined) return expect(tokens).toBeNull();
    const { tokens: figure, tolerance = 0 } = expected as { tokens: number; tolerance?: number };
    expect(tokens).toBeGreaterThanOrEqual(expected.tokensMin ?? figure - tolerance);
    expect(tokens).toBeLessThanOrEqual(expected.tokensMax ?? figure + tolerance);
  });
});

describe('conversations with their overhead', () => {
  it.each(VECTORS.filter(({ input }) => input.kind === 'chat'))(
    '$id',
    async ({ model, input: { kind, ...chat }, tokens, tolerance = 0 }) => {
      const counted = await count({ model, format: 'openai-chat', count: 'request', ...chat });
      expect(Math.abs((counted.tokens as number) - (tokens as number))).toBeLessThanOrEqual(tolerance);
    },
  );
});

describe('stated attachments', () => {
  const image = { kind: 'image', width: 1000, height: 1000 };

  it('count beside a conversation, whose tokens they are added to', async () => {
    const messages = [{ role: 'user', content: 'hello' }];
    const alone = await count({ model: 'claude-opus-5', messages });
    const both = await count({
      model: 'claude-opus-5',
      messages,
      accounting: 'provider',
      attachments: [image, { kind: 'audio' }],
    });
    expect(both.attachments).toMatchObject([
      { index: null, position: 0, kind: 'image', tokens: 1296, payload: null },
      { index: null, position: 1, kind: 'audio', provider: { basis: 'bound' } },
    ]);
    const [first, second] = both.attachments ?? [];
    expect(both.tokens).toBe(
      (alone.tokens as number) + (first?.tokens as number) + (second?.tokens as number),
    );
  });

  it('know their limits by each other', async () => {
    const attachments = Array.from({ length: 21 }, () => ({ ...image, width: 2001 }));
    const { tokens } = await count({ model: 'claude-opus-5', accounting: 'provider', attachments });
    expect(tokens).toBeNull();
  });

  it.each([
    [{ width: 10 }, '/attachments/0/height'],
    [{ kind: 'image', width: 1, height: 1, pages: 3 }, '/attachments/0/pages'],
    [{ kind: 'pdf', text_tokens: 3 }, '/attachments/0/pages'],
    [{ detail: 'low' }, '/attachments/0/kind'],
    [{ kind: 'image', width: 0, height: 1 }, '/attachments/0/width'],
    [{ kind: 'picture' }, '/attachments/0/kind'],
    [{ kind: 'image', colour: 'red' }, '/attachments/0/colour'],
  ])('are refused at their place: %j', async (stated, pointer) => {
    const body = { model: 'gpt-4o', accounting: 'provider', attachments: [stated as unknown as Json] };
    await expect(count(body)).rejects.toMatchObject({
      code: 'invalid_request',
      issues: expect.arrayContaining([expect.objectContaining({ pointer })]),
    });
  });

  it('have no payload that could count', async () => {
    await expect(count({ model: 'gpt-4o', attachments: [image] })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [expect.objectContaining({ pointer: '/accounting' })],
    });
  });
});
