import type { CountResponse, PreflightResponse } from '@preflight/contracts';
import { MODEL_CATALOG, type Prices } from '@preflight/models';
import { describe, expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

const api = await startApi();
const words = (count: number) => 'word '.repeat(count).trim();
const pricesOf = (name: string) => MODEL_CATALOG.resolve(name)?.model.prices as Prices;
const dollars = (tokens: number, price: number) => Number(((tokens * price) / 1e6).toFixed(9));

async function count(body: object): Promise<CountResponse> {
  const answer = await post(api.url, '/v1/count', body);
  expect(answer.status).toBe(200);
  return answer.body as CountResponse;
}

async function preflight(body: object): Promise<PreflightResponse> {
  const answer = await post(api.url, '/v1/preflight', body);
  expect(answer.status).toBe(200);
  return answer.body as PreflightResponse;
}

const messages = [
  { role: 'user', content: words(4000) },
  { role: 'assistant', content: words(4000) },
  { role: 'user', content: 'and now?' },
];

describe('a count', () => {
  test('tells what the input costs, by the catalog', async () => {
    const { tokens, cost } = await count({ model: 'gpt-4o-2024-08-06', messages });
    const prices = pricesOf('gpt-4o');
    expect(cost).toEqual({
      currency: 'USD',
      source: prices.source,
      date: prices.date,
      input: dollars(tokens as number, prices.input),
      cached_input: dollars(tokens as number, prices.cachedInput as number),
    });
    expect((await count({ model: 'gpt-4o', text: words(1000) })).cost?.input).toBe(0.0025);
  });

  test.each(['azure/gpt-4o', 'ft:gpt-4o:acme', 'gpt-oss-20b', 'my-company-llm', undefined])(
    'of %s has no price, and none is guessed',
    async (model) => {
      expect(await count({ model, messages })).not.toHaveProperty('cost');
    },
  );

  test('leaves out attachments that count as text', async () => {
    const url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(50)}`;
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url } },
    ];
    const { tokens, cost } = await count({ model: 'gpt-4o', messages: [{ role: 'user', content }] });
    expect(cost).toMatchObject({ without_attachments: true });
    expect(cost?.input).toBeLessThan(dollars((tokens as number) / 10, pricesOf('gpt-4o').input));
  });

  test('has attachments in it that count as what the provider makes of them', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://example.com/photo.png' } }];
    const body = {
      model: 'gpt-4o',
      messages: [{ role: 'user', content }],
      accounting: 'provider',
      attachments: [{ pointer: '/messages/0/content/0', width: 64, height: 48 }],
    };
    const counted = await count(body);
    expect(counted.cost?.input).toBe(dollars(counted.tokens as number, pricesOf('gpt-4o').input));
    const fitted = await preflight(body);
    expect(fitted.cost?.before.input).toBe(dollars(fitted.tokens.before, pricesOf('gpt-4o').input));
    for (const { cost } of [counted, fitted]) expect(cost).not.toHaveProperty('without_attachments');
  });
});

describe('a preflight', () => {
  test('tells what a trim saves', async () => {
    const body = { model: 'gpt-4.1', messages, budget_tokens: 3000, max_output_tokens: 1000 };
    const { tokens, max_output_tokens, cost } = await preflight(body);
    const { input, output, cachedInput } = pricesOf('gpt-4.1');
    const costOf = (inputTokens: number, outputTokens: number) => ({
      input: dollars(inputTokens, input),
      cached_input: dollars(inputTokens, cachedInput as number),
      output: dollars(outputTokens, output),
    });
    expect(tokens.after).toBeLessThan(tokens.before);
    expect(cost).toMatchObject({
      before: costOf(tokens.before, 1000),
      after: costOf(tokens.after, max_output_tokens),
    });
  });

  test('prices the output that was asked for before, and what is answered after', async () => {
    const { cost } = await preflight({ model: 'gpt-4o', messages, max_output_tokens: 20_000 });
    expect([cost?.before.output, cost?.after.output]).toEqual([0.2, 0.16384]);
  });

  test('goes by the higher price where the input is long', async () => {
    const { longInput, input } = pricesOf('gpt-5.4');
    const { aboveTokens } = longInput as NonNullable<typeof longInput>;
    const long = [{ role: 'user', content: words(aboveTokens + 5000) }, ...messages];
    const { tokens, cost } = await preflight({ model: 'gpt-5.4', messages: long, budget_tokens: 200_000 });
    expect(cost?.before.input).toBe(dollars(tokens.before, longInput?.input as number));
    expect(cost?.after.input).toBe(dollars(tokens.after, input));
  });
});
