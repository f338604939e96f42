import { describe, expect, test } from 'vitest';
import { putBlob, referenceTo } from '../harness/blobs.js';
import { BOTH_WAYS } from '../harness/both-ways.js';
import { post } from '../harness/http.js';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** An image of each of these, which all differ, and what was said about it. */
const images = Array.from({ length: 6 }, (_, i) => Buffer.alloc(3000, `image ${i}`));
const uriOf = (image: Buffer) => `data:image/png;base64,${image.toString('base64')}`;
const ask = (url: unknown) => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] });
const screens = (urlOf: (image: Buffer) => unknown) => ({
  messages: [
    { role: 'system', content: 'Say what changed: "more" or \n less.' },
    ...images.flatMap((image) => [ask(urlOf(image)), { role: 'assistant', content: 'Noted.' }]),
    { role: 'user', content: 'What changed?' },
  ],
});

const options = { model: 'gpt-4o', budget_tokens: 100_000, return: 'conversation' };

describe.each(BOTH_WAYS)('a budget of bytes, %s', (_, start) => {
  const running = start();
  const preflight = async (body: object) =>
    (await post((await running).url, '/v1/preflight', { ...options, ...body })).body;

  test('is kept by leaving out the oldest images, though the tokens would fit', async () => {
    const request = screens(uriOf);
    const answer = await preflight({ request, max_request_bytes: 14_000, attachments: 'elide_oldest' });
    expect(answer.outcome).toBe('attachments_elided');
    expect(answer.bytes).toEqual({
      before: bytesOf(request),
      after: bytesOf(answer.conversation),
      max: 14_000,
    });
    expect(answer.bytes.after).toBeLessThanOrEqual(14_000);
    const isLeft = images.map((image) => JSON.stringify(answer.conversation).includes(uriOf(image)));
    expect(isLeft).toEqual([false, false, false, true, true, true]);
    const fits = await preflight({ request, max_request_bytes: bytesOf(request) });
    expect([fits.outcome, fits.edits]).toEqual(['fits', []]);
  });

  test('is kept by cuts, to which every escape counts', async () => {
    const logs = '"quoted"\t\\ \u0001 é 😀\n'.repeat(400);
    const request = {
      messages: [
        { role: 'user', content: logs },
        { role: 'user', content: 'short' },
        { role: 'user', content: [{ type: 'text', text: logs }] },
        { role: 'user', content: 'And?' },
      ],
    };
    for (const truncate of [{}, { max_min: true }, { cut: { user: 'tail' } }, { cut: { user: 'middle' } }]) {
      const answer = await preflight({ request, max_request_bytes: 5000, strategy: 'truncate', truncate });
      expect(answer.outcome).toBe('truncated');
      expect(answer.bytes.after).toBe(bytesOf(answer.conversation));
      expect(answer.bytes.after).toBeLessThanOrEqual(5000);
      // No more is taken than it takes: a character and its escapes at each end.
      expect(answer.bytes.after).toBeGreaterThan(4900);
    }
  });

  test('counts files by digest as what they are sent as', async () => {
    const { url } = await running;
    for (const image of images) await putBlob(url, image);
    const given = screens(uriOf);
    const request = screens((image) => referenceTo(image, 'image/png'));
    const body = { max_request_bytes: 14_000, attachments: 'elide_oldest' };
    const [whole, byDigest] = [
      await preflight({ ...body, request: given }),
      await preflight({ ...body, request }),
    ];
    expect(byDigest.bytes).toEqual(whole.bytes);
    expect(byDigest.messages).toEqual(whole.messages);
  });

  test('that nothing can keep is refused with figures and what would help', async () => {
    const request = screens(uriOf);
    const refused = await preflight({ request, max_request_bytes: 14_000, strategy: 'truncate' });
    expect(refused).toMatchObject({
      code: 'ran_out_of_messages',
      figures: {
        shortfall: 0,
        request_bytes_before: bytesOf(request),
        request_bytes_after: bytesOf(request),
        max_request_bytes: 14_000,
        bytes_shortfall: bytesOf(request) - 14_000,
      },
      limits: { refused_by: 'max_request_bytes' },
    });
    const left = refused.unshrinkable.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0);
    expect(left).toBe(bytesOf(request));
    const tooMany = bytesOf(request) - 14_000;
    expect(refused.detail).toBe(
      `What the strategies may do has been done. The request has ${bytesOf(request)} bytes left as JSON, ${tooMany} more than \`max_request_bytes\`, 14000.`,
    );
    const hints = refused.hints.map(({ code, detail }: Record<string, string>) => [code, detail]);
    expect(hints).toEqual([
      ['raise_max_request_bytes', expect.stringContaining(`${bytesOf(request)} bytes would be enough`)],
      ['reduce_attachments', expect.stringContaining(`${tooMany} fewer would be enough`)],
      ['elide_attachments', expect.stringMatching(/\d{5} bytes in 3 of the messages/)],
    ]);
    const followed = await preflight({
      request,
      max_request_bytes: 14_000,
      strategy: ['truncate', 'elide_attachments'],
    });
    expect(followed.outcome).toBe('attachments_elided');
  });

  test('is not said to be enough where the window leaves too little output besides', async () => {
    const request = { messages: [{ role: 'user', content: 'harbour '.repeat(100) }] };
    const body = {
      request,
      encoding: 'o200k_base',
      budget_tokens: 1000,
      min_output_tokens: 50,
      buffer_tokens: 0,
    };
    const tooLittle = { ...body, context_window: 120, max_output_tokens: 60, max_request_bytes: 100 };
    const refused = await preflight(tooLittle);
    expect(refused).toMatchObject({ status: 422, figures: { shortfall: 0 } });
    const [{ code, detail }] = refused.hints;
    expect(code).toBe('raise_max_request_bytes');
    expect(detail).toMatch(/^A request of \d+ .* but \d+ tokens .* for the minimal output\.$/);
    const [max_request_bytes, , missing] = detail.match(/\d+/g).map(Number);
    const raised = (tokens: number) =>
      preflight({ ...tooLittle, max_request_bytes, context_window: tooLittle.context_window + tokens });
    expect(await raised(missing - 1)).toMatchObject({ status: 422, figures: { bytes_shortfall: 0 } });
    expect(await raised(missing)).toMatchObject({ max_output_tokens: 50 });
  });

  test('that shorter texts would keep is refused with those whose being shorter is enough', async () => {
    const ofBytes = (system: number, user: number) => ({
      messages: [
        { role: 'system', content: 's'.repeat(system) },
        { role: 'user', content: 'u'.repeat(user) },
      ],
    });
    const hintsOf = async (system: number, user: number) => {
      const { hints } = await preflight({ request: ofBytes(system, user), max_request_bytes: 1000 });
      return hints.slice(1).map(({ code, detail }: Record<string, string>) => [code, detail]);
    };
    const [[code, detail], ...others] = await hintsOf(2000, 10);
    expect([code, others]).toEqual(['shorten_system', []]);
    const missing = Number(/ (\d+) fewer would be enough/.exec(detail)?.[1]);
    const shorter = { request: ofBytes(2000 - missing, 10), max_request_bytes: 1000 };
    expect(await preflight(shorter)).toMatchObject({ outcome: 'fits', bytes: { before: 1000 } });
    expect(await preflight({ ...shorter, max_request_bytes: 999 })).toMatchObject({ status: 422 });
    // Neither is enough alone: what each could give of it.
    expect(await hintsOf(1000, 1000)).toEqual([
      ['shorten_system', expect.stringMatching(/1000 bytes .* of the \d+ that are missing/)],
      ['shorten_last_user', expect.stringMatching(/1000 bytes .* of the \d+ that are missing/)],
    ]);
  });

  test('has the model in it where the request stands flat, as the provider gets it', async () => {
    const { messages } = screens(uriOf);
    const body = { max_request_bytes: 14_000, attachments: 'elide_oldest' };
    const [flat, nested] = [
      await preflight({ ...body, messages }),
      await preflight({ ...body, request: { model: options.model, messages } }),
    ];
    expect(flat.bytes).toEqual(nested.bytes);
    expect(flat.bytes.before).toBe(bytesOf({ model: options.model, messages }));
    const { url } = await running;
    const check = async (asked: object) => (await post(url, '/v1/check', asked)).body.bytes;
    const { model } = options;
    expect(await check({ model, messages })).toBe(await check({ request: { model, messages } }));
  });
});
