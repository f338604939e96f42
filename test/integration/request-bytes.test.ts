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
    expect(refused.hints.map(({ code }: { code: string }) => code)).toEqual([
      'raise_max_request_bytes',
      'shorten_system',
      'shorten_last_user',
      'reduce_attachments',
    ]);
    expect(refused.hints[0].detail).toContain(String(bytesOf(request)));
  });
});
