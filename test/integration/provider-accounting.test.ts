import { ACCOUNTING_RULES, withOverheadChanges } from '@preflight/accounting';
import { Answerer } from '@preflight/api';
import { parseBody, writeJson } from '@preflight/body';
import type { CountResponse, PreflightResponse, Problem } from '@preflight/contracts';
import type { Json } from '@preflight/core';
import { Metrics } from '@preflight/runtime';
import { describe, expect, it } from 'vitest';
import { recordingLog, startParts } from '../harness/in-process.js';

const { answerer, coordinator } = startParts();
const context = { instance: '/', requestId: 'x', signal: new AbortController().signal };

type Body = Record<string, unknown>;
const treeOf = (body: Body) => parseBody(Buffer.from(JSON.stringify(body)));
const plain = (answer: Json) => JSON.parse(writeJson(answer).toString()) as unknown;
const count = async (body: Body) =>
  plain((await answerer.count(treeOf(body), context)).body) as CountResponse;
const preflight = async (body: Body) =>
  plain((await answerer.preflight(treeOf(body), context)).body) as PreflightResponse & Problem;

/** What begins as a GIF of that size does. */
function gif(width: number, height: number, lengthBytes = 3000): string {
  const bytes = Buffer.alloc(lengthBytes, 0x5a);
  bytes.write('GIF89a', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes.toString('base64');
}

const picture = (width: number, height: number, lengthBytes?: number, detail?: string) => ({
  type: 'image_url',
  image_url: {
    url: `data:image/gif;base64,${gif(width, height, lengthBytes)}`,
    ...(detail && { detail }),
  },
});
const ofUrl = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
const user = (...content: object[]) => ({ role: 'user', content });
const text = { type: 'text', text: 'What is this?' };

const gpt4o = { model: 'gpt-4o' };

describe('both accountings', () => {
  const messages = [user(text, picture(1024, 768, 50_000)), user(ofUrl)];

  it('stand side by side, and the option says which one counts', async () => {
    const payload = await count({ ...gpt4o, messages });
    const provider = await count({ ...gpt4o, messages, accounting: 'provider' });
    const rows = provider.attachments ?? [];
    expect(rows).toMatchObject([
      { index: 0, position: 0, kind: 'image', tokens: 765, provider: { tokens: 765, basis: 'formula' } },
      {
        index: 1,
        position: 0,
        kind: 'image',
        tokens: 765,
        provider: { basis: 'bound', low: 85, high: 1445 },
      },
    ]);
    expect(payload.attachments?.map((row) => row.provider)).toEqual(rows.map((row) => row.provider));
    expect(payload.attachments?.[0]).toMatchObject({ payload: { basis: 'exact' } });
    expect(payload.attachments?.[0]?.tokens).toBe(payload.attachments?.[0]?.payload?.tokens);
    // A large file is not counted only to be told.
    const rough = rows[0]?.payload;
    const exact = payload.attachments?.[0]?.payload?.tokens as number;
    expect(rough).toMatchObject({ basis: 'estimate', rule: 'base64-rate' });
    expect(rough?.low).toBeLessThanOrEqual(exact);
    expect(rough?.high).toBeGreaterThanOrEqual(exact);
    expect((payload.tokens as number) - (provider.tokens as number)).toBe(
      exact + (payload.attachments?.[1]?.tokens as number) - 2 * 765,
    );
    expect(provider.messages?.map((row) => row.attachment_tokens)).toEqual([765, 765]);
  });

  it('have totals as weak as their weakest part', async () => {
    const provider = await count({ ...gpt4o, messages, accounting: 'provider' });
    expect(provider.basis).toBe('bound');
    expect(provider.low).toBe((provider.tokens as number) - (765 - 85));
    expect(provider.high).toBe((provider.tokens as number) + (1445 - 765));
    const seen = await count({ ...gpt4o, messages: messages.slice(0, 1), accounting: 'provider' });
    expect(seen).toMatchObject({ basis: 'formula', low: seen.tokens, high: seen.tokens });
    expect(await count({ text: 'a', encoding: 'o200k_base' })).toMatchObject({
      basis: 'exact',
      low: 1,
      high: 1,
    });
  });

  it('go by the provider’s own words beside a file', async () => {
    const low = await count({ ...gpt4o, messages: [user(picture(4096, 4096, 3000, 'low'))] });
    expect(low.attachments?.[0]?.provider?.tokens).toBe(85);
    const gemini = {
      model: 'gemini-3.8-flash',
      format: 'gemini',
      request: {
        contents: [
          {
            role: 'user',
            parts: [
              {
                inlineData: { mimeType: 'image/gif', data: gif(512, 512) },
                mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' },
              },
            ],
          },
        ],
      },
    };
    expect((await count(gemini)).attachments?.[0]?.provider).toMatchObject({ tokens: 256, high: 280 });
  });

  it('count base64 in a text as text, and warn of it', async () => {
    const messages = [
      { role: 'user', content: `{"screenshot":"data:image/gif;base64,${gif(10, 10, 60_000)}"}` },
    ];
    const { tokens, attachments, warnings } = await count({ ...gpt4o, messages, accounting: 'provider' });
    expect(attachments).toBeUndefined();
    expect(tokens).toBeGreaterThan(1000);
    expect(warnings).toMatchObject([{ code: 'base64_in_text' }]);
  });
});

describe('stated facts', () => {
  const messages = [user(text, ofUrl), user(picture(10, 10))];

  it.each([
    ['flat', { messages }, ''],
    ['in a request', { request: { messages } }, ''],
    ['in a request, from the body on', { request: { messages } }, '/request'],
  ])('are told by place: %s', async (_, request, prefix) => {
    const attachments = [{ pointer: `${prefix}/messages/0/content/1`, width: 1024, height: 1024 }];
    const answer = await count({ ...gpt4o, ...request, accounting: 'provider', attachments });
    expect(answer.attachments).toMatchObject([
      { tokens: 765, provider: { basis: 'formula' } },
      { tokens: 255 },
    ]);
    expect(answer.warnings.map(({ code }) => code)).not.toContain('attachment_unseen');
  });

  it('win over what the bytes say', async () => {
    const attachments = [{ pointer: '/messages/1/content/0', width: 1024, height: 1024 }];
    const { attachments: rows } = await count({ ...gpt4o, messages, accounting: 'provider', attachments });
    expect(rows?.[1]?.tokens).toBe(765);
  });

  it.each(['/messages/0/content/0', '/messages/0', '/messages/9/content/1', 'x', ''])(
    'about %j are about no attachment',
    async (pointer) => {
      const attachments = [{ pointer, width: 1, height: 1 }];
      for (const call of [count, preflight])
        await expect(call({ ...gpt4o, messages, attachments })).rejects.toMatchObject({
          code: 'invalid_request',
          issues: [{ pointer: '/attachments/0/pointer' }],
        });
    },
  );

  it('of nothing in the conversation are refused where it is to fit', async () => {
    await expect(
      preflight({ ...gpt4o, messages, attachments: [{ width: 1, height: 1 }] }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ pointer: '/attachments/0/pointer' }],
    });
  });

  it('may be of files that Langroid sends', async () => {
    const langroid = {
      format: 'langroid',
      model: 'gpt-4o',
      messages: [
        { role: 'user', content: 'a', files: [{ url: 'https://example.org/x.png', mime_type: 'image/png' }] },
      ],
      attachments: [{ pointer: '/messages/0/files/0', width: 512, height: 512 }],
    };
    expect((await count(langroid)).attachments?.[0]?.provider?.tokens).toBe(255);
  });
});

it('rules of an operator for what stands around messages are those that count', async () => {
  const change = { id: 'per-field', fields: { messageTokens: 30, date: '2027-01' } };
  const overhead = withOverheadChanges(ACCOUNTING_RULES.overhead, [change]);
  const operated = new Answerer({
    work: coordinator,
    log: recordingLog().log,
    metrics: new Metrics(),
    pricing: { accounting: 'payload', rules: { ...ACCOUNTING_RULES, overhead } },
    maxMessages: 10,
    defaultContextWindowTokens: undefined,
  });
  const body = { ...gpt4o, messages: [user(text), user(text)] };
  const shipped = await count(body);
  const changed = plain((await operated.count(treeOf(body), context)).body) as CountResponse;
  expect(changed.tokens).toBe((shipped.tokens ?? 0) + 2 * 27);
  expect(changed.overhead).toMatchObject({ rule: 'per-field', rule_date: '2027-01' });
  expect(changed.overhead?.tokens).toBe((shipped.overhead?.tokens ?? 0) + 2 * 27);
});

describe('what cannot be read', () => {
  const of = (url: string) => ({ type: 'image_url', image_url: { url } });

  it.each([
    ['data:image/png;base64,@@@@ not base64 @@@@', 'no_base64'],
    [`data:image/png;base64,${Buffer.from('nothing of the kind').toString('base64')}`, 'unknown_type'],
    [`data:image/gif;base64,${Buffer.from('GIF89a').toString('base64')}`, 'damaged'],
  ])('is told apart from what is not here: %j', async (url, reason) => {
    const messages = [user(of(url)), user(ofUrl)];
    const { attachments, warnings } = await count({ ...gpt4o, messages, accounting: 'provider' });
    expect(attachments).toMatchObject([{ unreadable: reason }, { unreadable: 'not_here' }]);
    const details = Object.fromEntries(warnings.map(({ code, detail }) => [code, detail]));
    expect(details.attachment_unreadable).toContain(`messages 0 cannot be read (${reason}`);
    expect(details.attachment_unseen).toContain('messages 1 are not here');
  });

  it('a PDF with an entry for a key that is not there counts as the bound, and never as nothing', async () => {
    const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 300/Kids[]>>',
      ...Array(300).fill(page),
    ];
    const body = objects.map((object, i) => `${i + 1} 0 obj${object}endobj\n`).join('');
    const bytes = Buffer.from(`%PDF-1.4\n${body}trailer<</Root 1 0 R/Encrypt 5000 0 R>>\n%%EOF`);
    const file = {
      type: 'file',
      file: { file_data: `data:application/pdf;base64,${bytes.toString('base64')}` },
    };
    const { attachments, warnings } = await count({
      ...gpt4o,
      messages: [user(file)],
      accounting: 'provider',
    });
    expect(attachments).toMatchObject([{ unreadable: 'damaged', provider: { basis: 'bound' } }]);
    expect(attachments?.[0]?.provider?.high).toBeGreaterThan(300);
    expect(warnings.map(({ code }) => code)).toContain('attachment_unreadable');
  });

  const pdf = `data:image/png;base64,${Buffer.from('%PDF-1.7 and no more of it').toString('base64')}`;

  it.each([
    ['data:image/png;base64,@@@@ not base64 @@@@', 'no_base64', 'attachment_unreadable'],
    [pdf, 'other_kind', 'attachment_unreadable'],
    ['data:image/png;base64,', 'empty', 'empty_attachment'],
  ])('is told by one warning, by either accounting: %j', async (url, unreadable, code) => {
    for (const call of [count, preflight])
      for (const accounting of ['payload', 'provider']) {
        const { attachments, warnings } = await call({ ...gpt4o, messages: [user(of(url))], accounting });
        expect(attachments).toMatchObject([{ unreadable }]);
        const codes = warnings.map((warning) => warning.code);
        expect(codes.filter((each) => /^attachment_(?!estimate)|^empty_/.test(each))).toEqual([code]);
      }
  });

  const called = (call: object) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: call }],
  });
  it.each<[what: string, body: object, places: string]>([
    [
      'a call',
      {
        messages: [user({ type: 'text', text: 'a' }), called({ name: 'look', arguments: '{"a":"\ud83d"}' })],
      },
      'messages 1.',
    ],
    [
      'a call with parsed arguments',
      { messages: [called({ name: 'look', arguments: { '\udc00': 1 } })] },
      'messages 0.',
    ],
    ['a refusal', { messages: [{ role: 'assistant', content: null, refusal: '\ud83d' }] }, 'messages 0.'],
    [
      'the name of a tool',
      { messages: [], tools: [{ type: 'function', function: { name: '\ud83d' } }] },
      'tools or schemas.',
    ],
  ])('half of a surrogate pair in %s is told', async (_, body, places) => {
    const { warnings } = await count({ ...gpt4o, ...body });
    expect(warnings).toMatchObject([{ code: 'ill_formed_string', detail: expect.stringContaining(places) }]);
  });

  const long = `${'words '.repeat(4_000)}\ud800`;
  it.each(['\ud800', long])('half of a surrogate pair is told (%#)', async (broken) => {
    const messages = [{ role: 'user', content: 'whole \ud83d\ude00' }, user({ type: 'text', text: broken })];
    for (const call of [count, preflight]) {
      const { warnings } = await call({ ...gpt4o, messages });
      expect(warnings).toMatchObject([
        { code: 'ill_formed_string', detail: expect.stringContaining('messages 1.') },
      ]);
    }
    const ofText = await count({ text: broken, encoding: 'o200k_base' });
    expect(ofText.warnings.map(({ code }) => code)).toEqual(['ill_formed_string']);
    const replaced = await count({ text: broken.toWellFormed(), encoding: 'o200k_base' });
    expect([ofText.tokens, replaced.warnings]).toEqual([replaced.tokens, []]);
  });
});

describe('a refusal', () => {
  const messages = Array.from({ length: 25 }, (_, i) => user(text, picture(100 + i, 100, 1000 + i * 100)));

  it.each(['payload', 'provider'])('names the attachments that count most, by %s', async (accounting) => {
    const body = { ...gpt4o, messages: [user(...messages.map(({ content }) => content[1] as object))] };
    const { attachments = [], ...refusal } = await preflight({ ...body, accounting, context_window: 500 });
    expect(refusal).toMatchObject({ status: 422, attachment_count: 25 });
    expect(attachments).toHaveLength(20);
    const tokens = attachments.map((row) => row.tokens ?? 0);
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a));
    for (const row of attachments) {
      expect(row).toMatchObject({ index: 0, kind: 'image', payload: {}, provider: { tokens: 255 } });
      expect(row.tokens).toBe((accounting === 'payload' ? row.payload : row.provider)?.tokens);
    }
    if (accounting === 'payload') expect(attachments[0]?.position).toBe(24);
  });

  it('of a request without attachments names none', async () => {
    const refusal = await preflight({ ...gpt4o, messages: [user(text)], context_window: 5 });
    expect(refusal.status).toBe(422);
    expect('attachments' in refusal || 'attachment_count' in refusal).toBe(false);
  });
});

describe('a fit by the provider’s accounting', () => {
  const window = { context_window: 2_000, max_output_tokens: 64, buffer_tokens: 0 };

  it('keeps a photo that as text would not fit, and says so', async () => {
    const messages = [user(text, picture(1024, 1024, 100_000))];
    const provider = await preflight({ ...gpt4o, ...window, messages, accounting: 'provider' });
    expect(provider).toMatchObject({ outcome: 'fits', edits: [], attachments: [{ tokens: 765 }] });
    const warning = provider.warnings.find(({ code }) => code === 'accounting_decides');
    expect(warning?.detail).toMatch(
      /`provider` the request has \d+ tokens .* and fits; by `payload` .* cannot fit/,
    );
    const payload = await preflight({ ...gpt4o, ...window, messages });
    expect(payload).toMatchObject({ status: 422 });
    expect(payload.warnings?.map(({ code }) => code)).toContain('accounting_decides');
  });

  it('warns of nothing where both come to the same', async () => {
    const { warnings } = await preflight({
      ...gpt4o,
      messages: [user(text, picture(10, 10))],
      accounting: 'provider',
    });
    expect(warnings.map(({ code }) => code)).toEqual(['attachment_estimate']);
  });

  it('is decided by the most that it can cost, or by the best figure', async () => {
    const messages = [{ role: 'system', content: 'a' }, user(text, ofUrl)];
    const body = { ...gpt4o, ...window, context_window: 1_200, messages, accounting: 'provider' };
    expect(await preflight(body)).toMatchObject({ status: 422 });
    expect(await preflight({ ...body, gate: 'high' })).toMatchObject({ status: 422 });
    const point = await preflight({ ...body, gate: 'point' });
    expect(point).toMatchObject({ outcome: 'fits', totals: { before: { basis: 'bound' } } });
    expect(point.totals.before.high - point.totals.before.tokens).toBe(1445 - 765);
    expect(point.totals.before.tokens).toBe(point.tokens.before);
  });

  it('tells what is left of the totals', async () => {
    const old = user(text, picture(1024, 1024));
    const messages = [old, { role: 'assistant', content: 'A cat.' }, user(text)];
    const fitted = await preflight({
      ...gpt4o,
      ...{ messages, accounting: 'provider', strategy: 'drop_turns' },
      ...{ budget_tokens: 100, max_output_tokens: 1, min_output_tokens: 0 },
    });
    expect(fitted).toMatchObject({ outcome: 'turns_dropped', totals: { after: { basis: 'formula' } } });
    expect(fitted.totals.after.tokens).toBe(fitted.tokens.after);
    expect(fitted.totals.before.tokens).toBe(fitted.tokens.before);
  });

  it('names what the provider would refuse, by either accounting', async () => {
    const messages = [user(text, picture(8001, 10))];
    const claude = { model: 'claude-opus-5', format: 'openai-chat', messages };
    for (const accounting of ['payload', 'provider']) {
      const { warnings, attachments } = await preflight({ ...claude, accounting });
      expect(warnings.map(({ code }) => code)).toContain('attachment_refused');
      expect(attachments).toMatchObject([{ error: 'image_dimension_limit', provider: { tokens: null } }]);
    }
    expect((await count({ ...claude, accounting: 'provider' })).tokens).toBeNull();
  });
});

it('only accountings and gates that there are', async () => {
  for (const options of [{ accounting: 'both' }, { gate: 'low' }])
    await expect(preflight({ ...gpt4o, messages: [], ...options })).rejects.toMatchObject({
      code: 'unsupported_option',
    });
});
