import { jobResponse } from '@preflight/contracts';
import { Value } from 'typebox/value';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DistributedWorld } from '../harness/distributed.js';
import { get, post } from '../harness/http.js';
import { expectProblem } from '../harness/problems.js';
import { mixed } from '../harness/seeded-texts.js';
import { startServer } from '../harness/server-process.js';
import { eventually, waitFor } from '../harness/wait-for.js';
import { largeText, SLOW } from '../lifecycle/large-work.js';
import { cancel, comparable, finalAnswer, statesOf, submit } from './job-calls.js';

interface Service {
  /** Where calls go, and where they are asked for: two processes, if there are several. */
  readonly url: string;
  readonly otherUrl: string;
}

/** One process alone, and several over Redis: jobs are the same. */
const MODES: [string, (settings?: Record<string, string>) => Promise<Service>][] = [
  [
    'embedded',
    async (settings = {}) => {
      const { url } = await startServer({ PREFLIGHT_THREADS: '1', ...settings });
      return { url, otherUrl: url };
    },
  ],
  [
    'distributed',
    async (settings = {}) => {
      const world = await DistributedWorld.start(onTestFinished, settings);
      const [api, both] = await Promise.all([world.startApi(), world.startBoth()]);
      return { url: api.url, otherUrl: both.url };
    },
  ],
];

const user = (content: unknown) => ({ role: 'user', content });
const small = { model: 'gpt-4o', messages: [user('hello there')] };
const slowWork = (seed: number) => ({ text: largeText(seed), encoding: 'o200k_base' });
const image = {
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${largeText(1, 1)}` },
};
const CALLS: [string, string, object][] = [
  ['what fits', '/v1/preflight', small],
  [
    'what is cut',
    '/v1/preflight',
    {
      encoding: 'o200k_base',
      context_window: 9_000,
      max_output_tokens: 100,
      messages: [user(mixed(90_000, 1)), user([{ type: 'text', text: mixed(40_000, 2) }]), user('And?')],
    },
  ],
  [
    'what comes back edited',
    '/v1/preflight',
    {
      encoding: 'o200k_base',
      context_window: 700,
      max_output_tokens: 100,
      return: 'conversation',
      request: { messages: [user(mixed(20_000, 3)), user('And?')], temperature: 1 },
    },
  ],
  [
    'an attachment',
    '/v1/preflight',
    { encoding: 'o200k_base', context_window: 2_000_000, messages: [user([image])] },
  ],
  [
    'what cannot fit',
    '/v1/preflight',
    { encoding: 'o200k_base', context_window: 50, messages: [user(mixed(9_000, 4))] },
  ],
  ['a text', '/v1/count', { text: mixed(30_000, 5), encoding: 'cl100k_base' }],
  ['a conversation', '/v1/count', { model: 'gpt-4o', messages: [user('a'), user(mixed(3_000, 6))] }],
];

describe.each(MODES)('jobs, %s', (_, start) => {
  test('are answered as the calls are', async () => {
    const { url, otherUrl } = await start();
    for (const [name, path, payload] of CALLS) {
      const accepted = await submit(url, path, payload);
      expect(accepted.status, accepted.text).toBe(202);
      const { id } = accepted.body;
      expect(accepted.headers).toMatchObject({
        location: `/v1/jobs/${id}`,
        'preference-applied': 'respond-async',
      });
      const answer = await finalAnswer(otherUrl, id);
      expect([...Value.Errors(jobResponse, answer.body)], name).toEqual([]);
      const expected = comparable(await post(url, path, payload));
      expect(comparable(answer), name).toEqual(expected);
      expect(answer.body.status).toBe(
        'status' in expected && expected.status === 200 ? 'completed' : 'failed',
      );
      if (path === '/v1/preflight' && answer.body.status === 'completed')
        expect(answer.body.result.id).toBe(id);
      expect(await statesOf(otherUrl, id)).toEqual([{ id, status: answer.body.status }]);
    }
  });

  test('of a malformed request do not come about', async () => {
    const { url } = await start();
    expectProblem(await submit(url, '/v1/count', { text: 1 }), 400, 'invalid_request');
    const files = [{ content_base64: '!' }];
    const invalid = { model: 'gpt-4o', format: 'langroid', request: { messages: [{ ...user('a'), files }] } };
    const refused = await submit(url, '/v1/preflight', invalid);
    expectProblem(refused, 400, 'invalid_base64');
    expect(refused.body.errors[0].pointer).toMatch(/^\/request\/messages\/0/);
  });

  test('tell where they are until they have ended', async () => {
    const { url, otherUrl } = await start(SLOW);
    const { body } = await submit(url, '/v1/count', slowWork(10));
    const states = await statesOf(otherUrl, body.id);
    expect(states.map(({ status }) => status)).toEqual(expect.arrayContaining(['active', 'completed']));
    expect(states.at(-1)).toEqual({ id: body.id, status: 'completed' });
    expect(states).toContainEqual({
      id: body.id,
      status: 'active',
      attempt: 1,
      progress: { stage: 'counting', texts: 1 },
    });
  });

  test('are cancelled, waiting or running', async () => {
    const { url, otherUrl } = await start({ ...SLOW, PREFLIGHT_CONCURRENCY: '1' });
    const running = (await submit(url, '/v1/count', slowWork(11))).body.id;
    await waitFor(async () => (await get(url, `/v1/jobs/${running}`)).body.status === 'active');
    const waiting = (await submit(url, '/v1/count', slowWork(12))).body.id;
    expect((await cancel(otherUrl, waiting)).body).toEqual({ id: waiting, status: 'cancelled' });
    expect((await cancel(otherUrl, running)).status).toBe(200);
    expect((await finalAnswer(url, running)).body).toEqual({ id: running, status: 'cancelled' });
    expect(await statesOf(otherUrl, waiting)).toEqual([{ id: waiting, status: 'cancelled' }]);
    // The thread is free, and what has ended stays as it is.
    const { id } = (await submit(url, '/v1/preflight', small)).body;
    await finalAnswer(url, id);
    expect((await cancel(url, id)).body).toEqual({ id, status: 'completed' });
  });

  test('are known for as long as it was said', async () => {
    const { url } = await start({ PREFLIGHT_RESULT_LIFETIME_MS: '1000' });
    const { id } = (await submit(url, '/v1/preflight', small)).body;
    expect((await finalAnswer(url, id)).body.status).toBe('completed');
    const gone = await waitFor(async () => {
      const answer = await get(url, `/v1/jobs/${id}`);
      return answer.status !== 200 && answer;
    });
    expectProblem(gone, gone.status, gone.status === 410 ? 'job_expired' : 'not_found');
    for (const path of ['/v1/jobs/x', `/v1/jobs/${crypto.randomUUID()}`]) {
      expectProblem(await get(url, path), 404, 'not_found');
      expectProblem(await get(url, `${path}/events`), 404, 'not_found');
      expectProblem(await cancel(url, path.slice('/v1/jobs/'.length)), 404, 'not_found');
    }
  });

  test('that are soon done are answered at once, if the caller would rather wait', async () => {
    const { url } = await start(SLOW);
    const prefer = { prefer: 'respond-async, wait=60' };
    expect((await submit(url, '/v1/preflight', small, prefer)).body.outcome).toBe('fits');
    const slow = await submit(url, '/v1/count', slowWork(13), { prefer: 'respond-async, wait=0.05' });
    expect(slow.status).toBe(202);
    expect((await cancel(url, slow.body.id)).status).toBe(200);
  });
});

describe.each(MODES)('an Idempotency-Key, %s', (_, start) => {
  const key = (name: string) => ({ 'idempotency-key': name });

  test('makes one job of equal requests, whichever process they come to', async () => {
    const { url, otherUrl } = await start(SLOW);
    const payload = slowWork(20);
    const answers = await Promise.all([
      ...[url, otherUrl, url].map((one) => post(one, '/v1/count', payload, { headers: key('a') })),
      ...[url, otherUrl].map((one) => submit(one, '/v1/count', payload, key('a'))),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 202, 202]);
    const [first, second, third, job, same] = answers.map(({ body }) => body);
    expect([second, third, same.id]).toEqual([first, first, job.id]);
    expect((await finalAnswer(otherUrl, job.id)).body.result).toEqual(first);
    const again = await post(url, '/v1/count', payload, { headers: key('a') });
    expect(again.body).toEqual(first);
    expect(again.headers.location).toBe(`/v1/jobs/${job.id}`);
    // Who asks for a job gets 202, also when it has ended long ago.
    const ended = await submit(otherUrl, '/v1/count', payload, key('a'));
    expect([ended.status, ended.body]).toEqual([202, { id: job.id, status: 'completed' }]);

    const other = await post(otherUrl, '/v1/count', { ...payload, text: 'other' }, { headers: key('a') });
    expectProblem(other, 409, 'idempotency_key_reused');
    expect((await post(url, '/v1/count', slowWork(20), { headers: key('b') })).body.cache.misses).toBe(0);
  });

  test('of what was refused is refused in the same way', async () => {
    const { url, otherUrl } = await start();
    const payload = { encoding: 'o200k_base', context_window: 1, messages: [user('a')] };
    const refused = await post(url, '/v1/preflight', payload, { headers: key('c') });
    expectProblem(refused, 422, 'ran_out_of_messages');
    expect((await post(otherUrl, '/v1/preflight', payload, { headers: key('c') })).body).toEqual(
      refused.body,
    );
  });

  test('is free again when the result it gave has gone', async () => {
    const { url, otherUrl } = await start({ PREFLIGHT_RESULT_LIFETIME_MS: '1000' });
    const call = (text: string) =>
      post(url, '/v1/count', { text, encoding: 'o200k_base' }, { headers: key('e') });
    const idOf = (answer: { headers: Record<string, unknown> }) =>
      String(answer.headers.location).slice('/v1/jobs/'.length);
    const first = idOf(await call('a'));
    await eventually(async () => expect((await get(otherUrl, `/v1/jobs/${first}`)).status).not.toBe(200));
    const second = await call('another text');
    expect([second.status, second.body.tokens]).toEqual([200, 2]);
    expect(idOf(second)).not.toBe(first);
    expectProblem(await call('a'), 409, 'idempotency_key_reused');
  });

  test('must be one', async () => {
    const { url } = await start();
    for (const name of [' ', 'a b', 'x'.repeat(256)])
      expectProblem(await post(url, '/v1/preflight', small, { headers: key(name) }), 400, 'invalid_request');
  });

  test('is for callers who are cut off: the job goes on, and a wait that is too long becomes 202', async () => {
    const { url, otherUrl } = await start({ ...SLOW, PREFLIGHT_DEADLINE_MS: '60000' });
    const payload = slowWork(21);
    const leaving = new AbortController();
    let isSent = false;
    const onSent = () => {
      isSent = true;
    };
    const left = post(url, '/v1/count', payload, { headers: key('d'), signal: leaving.signal, onSent });
    left.catch(() => undefined);
    const { body } = await submit(otherUrl, '/v1/count', payload, key('d'));
    await waitFor(() => isSent, { what: 'a request that is sent' });
    leaving.abort();
    await expect(left).rejects.toThrow();
    const again = await submit(url, '/v1/count', payload, key('d'));
    expect([again.status, again.body.id]).toEqual([202, body.id]);
    expect((await finalAnswer(otherUrl, body.id)).body.status).toBe('completed');
  });
});
