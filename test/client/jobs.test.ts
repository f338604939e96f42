import { randomUUID } from 'node:crypto';
import { PreflightClient } from '@preflight/client';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { countingFetch } from '../harness/counting-fetch.js';
import { seededBytes } from '../harness/seeded-texts.js';
import { waitFor } from '../harness/wait-for.js';
import { largeText, SLOW } from '../lifecycle/large-work.js';

const user = (content: unknown) => ({ role: 'user', content });
const image = (seed: number) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${seededBytes(30_000, seed).toString('base64')}` },
});
const cut = (seed: number) => ({
  encoding: 'o200k_base',
  context_window: 60_000,
  request: {
    messages: [user([{ type: 'text', text: 'a long story. '.repeat(30_000) }, image(seed)]), user('And?')],
  },
});
const slowRequest = (seed: number) => ({
  encoding: 'o200k_base',
  context_window: 9_000_000,
  messages: [user(largeText(seed))],
});

describe.each(BOTH_WAYS)('jobs of the client, %s', (_, start) => {
  let service: Running;
  let slow: Running;
  beforeAll(async () => {
    [service, slow] = await Promise.all([
      start(),
      start({ ...SLOW, PREFLIGHT_THREADS: '1', PREFLIGHT_CONCURRENCY: '1' }),
    ]);
  });

  test('come to what the call comes to, files uploaded and edits applied', async () => {
    const counting = countingFetch();
    const client = new PreflightClient({ baseUrl: service.url, fetch: counting.fetch });
    const job = await client.submit(cut(1));
    const { answer, request } = await job.result();
    const expected = await client.preflight(cut(1));
    expect(request).toEqual(expected.request);
    expect(answer).toMatchObject({ id: job.id, outcome: 'truncated', edits: expected.answer.edits });
    expect(await job.state()).toEqual({ id: job.id, status: 'completed' });
    expect(counting.sent().filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  test('reject with what the call would have been refused with', async () => {
    const client = new PreflightClient({ baseUrl: service.url });
    const body = { encoding: 'o200k_base', context_window: 40, messages: [user('word '.repeat(900))] };
    const failing = client.submit(body).then((job) => job.result());
    await expect(failing).rejects.toMatchObject({ code: 'ran_out_of_messages', status: 422 });
    await expect(client.submit({ messages: [user('no encoding')] })).rejects.toMatchObject({ status: 400 });
  });

  test('are cancelled, and tell where they are', async () => {
    const client = new PreflightClient({ baseUrl: slow.url });
    const job = await client.submit(slowRequest(31));
    onTestFinished(() => void job.cancel());
    await waitFor(async () => (await job.state()).status === 'active');
    const leaving = new AbortController();
    const waiting = job.result({ signal: leaving.signal });
    leaving.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const result = job.result();
    result.catch(() => undefined);
    await job.cancel();
    await expect(result).rejects.toMatchObject({ code: 'job_cancelled' });
    expect((await job.state()).status).toBe('cancelled');
  });

  test('are one job under one key, also when the answer to the first call was lost', async () => {
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (init?.method !== 'POST' || lost > 0) return answer;
      lost += 1;
      throw new TypeError('the connection broke');
    };
    const ids: unknown[] = [];
    const noting: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (init?.method === 'POST') ids.push(((await answer.clone().json()) as { id: string }).id);
      return answer;
    };
    const options = { baseUrl: service.url, firstPauseMs: 1 };
    const body = { encoding: 'o200k_base', context_window: 9_000, messages: [user('hello')] };
    const client = new PreflightClient({ ...options, fetch: (input, init) => losing(input, init) });
    const key = randomUUID();
    const job = await client.submit(body, { idempotencyKey: key });
    expect(lost).toBe(1);
    const same = new PreflightClient({ ...options, fetch: noting });
    expect((await same.submit(body, { idempotencyKey: key })).id).toBe(job.id);
    expect((await same.preflight(body, { idempotencyKey: key })).answer.id).toBe(job.id);
    expect(ids).toEqual([job.id, job.id]);
    const other = same.preflight({ ...body, context_window: 8_000 }, { idempotencyKey: key });
    await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused', status: 409 });
  });

  test('a key of its own is drawn for each, and stays the same when the call is tried again', async () => {
    const keys: (string | null)[] = [];
    let calls = 0;
    const client = new PreflightClient({
      baseUrl: service.url,
      firstPauseMs: 1,
      fetch: async (input, init) => {
        if (init?.method === 'POST') {
          keys.push(new Headers(init.headers).get('idempotency-key'));
          if (calls++ === 0) throw new TypeError('the connection broke');
        }
        return fetch(input, init);
      },
    });
    const body = { encoding: 'o200k_base', context_window: 9_000, messages: [user('hello')] };
    const [first, second] = [await client.submit(body), await client.submit(body)];
    expect(first.id).not.toBe(second.id);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
  });

  test('a call with a key that takes too long goes on as a job, and is answered all the same', async () => {
    const hasty = new PreflightClient({
      baseUrl: service.url,
      // As the service does when its deadline comes first.
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          ...(init?.method === 'POST' && { headers: { ...init.headers, prefer: 'respond-async' } }),
        }),
    });
    const { answer } = await hasty.preflight(cut(2), { idempotencyKey: randomUUID() });
    expect(answer.outcome).toBe('truncated');
  });
});
