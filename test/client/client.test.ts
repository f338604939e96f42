import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClientError, PreflightClient } from '@preflight/client';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../harness/blobs.js';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { countingFetch } from '../harness/counting-fetch.js';
import { eventually } from '../harness/wait-for.js';

const dataUri = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const words = (text: string) => ({ type: 'text', text });

describe.each(BOTH_WAYS)('the client, %s', (_, start) => {
  let service: Running;
  beforeAll(async () => {
    service = await start();
  });
  const connect = () => {
    const counting = countingFetch();
    return { ...counting, client: new PreflightClient({ baseUrl: service.url, fetch: counting.fetch }) };
  };

  test('a file is uploaded once, and counts what its base64 counts', async () => {
    const { client, sent } = connect();
    const messages = [{ role: 'user', content: [words('see'), image(dataUri(randomBytes(300_000)))] }];
    const inline = new PreflightClient({ baseUrl: service.url, minFileBytes: Number.POSITIVE_INFINITY });
    const counted = await client.count({ model: 'gpt-4o', messages });
    expect(sent().map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST']);
    await client.count({ model: 'gpt-4o', messages });
    expect(sent()).toHaveLength(4);
    const expected = await inline.count({ model: 'gpt-4o', messages });
    expect([counted.tokens, counted.messages]).toEqual([expected.tokens, expected.messages]);
  });

  test('a check sends no file, knows its size, and gives the repaired request with it in place', async () => {
    const { client, sent } = connect();
    const asked = { role: 'user', content: [words('see'), image(dataUri(randomBytes(300_000)))] };
    const orphan = { role: 'tool', tool_call_id: 'x', content: 'r' };
    const request = { messages: [asked, orphan] };
    const { answer, request: repaired } = await client.check({ request, repair: true });
    expect(sent().map(({ method }) => method)).toEqual(['POST']);
    expect([answer.legal, answer.bytes]).toEqual([false, JSON.stringify(request).length]);
    expect(repaired).toEqual({ messages: [asked] });
    expect(request.messages).toHaveLength(2);
    const legal = await client.check({ request: repaired });
    expect([legal.answer.legal, legal.request]).toEqual([true, repaired]);
  });

  test('edits are applied here, to a copy, with the files in place', async () => {
    const { client } = connect();
    const file = image(dataUri(randomBytes(30_000)));
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [words('a long story. '.repeat(3_000)), file] },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'And?' },
    ];
    const given = structuredClone(messages);
    const request = { model: 'gpt-4o', temperature: 0, messages };
    const body = { request, context_window: 33_000 };
    const { answer, request: edited } = await client.preflight(body);
    expect(answer.outcome).toBe('truncated');
    expect(messages).toEqual(given);
    expect(edited).toMatchObject({ model: 'gpt-4o', temperature: 0 });
    const [, cut] = edited.messages as [unknown, { content: unknown[] }];
    expect(cut.content.at(-1)).toEqual(file);
    expect(JSON.stringify(cut.content[0])).toContain('[Contents truncated!]');
  });

  test('files in results travel once, in the format that the request looks like', async () => {
    const { client, sent } = connect();
    const data = randomBytes(30_000).toString('base64');
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const messages = [
      { role: 'user', content: 'a long story. '.repeat(3_000) },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [picture] }] },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'And?' },
    ];
    const request = { model: 'claude-sonnet-4-5', system: 'Be brief.', messages };
    const { answer, request: edited } = await client.preflight({ request, context_window: 33_000 });
    expect(sent().filter(({ method }) => method === 'PUT')).toHaveLength(1);
    expect(answer.messages[2]?.attachment_tokens).toBeGreaterThan(20_000);
    expect(edited).toEqual({
      ...request,
      messages: [{ role: 'user', content: expect.stringMatching(/truncated!\]$/) }, ...messages.slice(1)],
    });
  });

  test('a conversation that fits comes back itself', async () => {
    const { client } = connect();
    const request = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] };
    expect((await client.preflight({ request })).request).toBe(request);
  });

  test('files of Langroid, and what is no plain base64, are sent as they must be', async () => {
    const { client, sent } = connect();
    const bytes = randomBytes(30_000);
    const odd = bytes.toString('base64').replace(/.{76}/g, '$&\n');
    const files = [bytes.toString('base64'), odd].map((content_base64) => ({
      content_base64,
      filename: 'a.pdf',
    }));
    const messages = [{ role: 'user', content: 'see', files }];
    const { messages: rows } = await client.count({ model: 'gpt-4o', format: 'langroid', messages });
    expect(rows?.[0]?.attachment_tokens).toBeGreaterThan(0);
    expect(sent().filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  test('a text', async () => {
    expect((await connect().client.count({ text: 'hello world', encoding: 'o200k_base' })).tokens).toBe(2);
  });

  test('what cannot fit rejects with code, figures and hints', async () => {
    const { client, sent } = connect();
    const failing = client.preflight({
      model: 'gpt-4o',
      context_window: 400,
      messages: [{ role: 'user', content: 'word '.repeat(1_000) }],
    });
    const error = await failing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ code: 'ran_out_of_messages', status: 422, isPassing: false });
    expect((error as ClientError).figures.shortfall).toBeGreaterThan(0);
    expect((error as ClientError).hints.length).toBeGreaterThan(0);
    expect(sent()).toHaveLength(1);
  });

  test('a bad request rejects with its places', async () => {
    const failing = connect().client.count({ messages: [{ content: 'no role' }] });
    await expect(failing).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ pointer: '/messages/0/role' }],
    });
  });
});

/** A service that answers what it is told to, one answer a call. */
async function scripted(answers: { status: number; headers?: Record<string, string>; body: object }[]) {
  const calls: number[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      calls.push(performance.now());
      const { status, headers, body } = answers[calls.length - 1] ?? expect.fail('one call too many');
      response.writeHead(status, headers).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { calls, baseUrl, client: new PreflightClient({ baseUrl, firstPauseMs: 1, retries: 2 }) };
}

describe('failures that may pass', () => {
  const zeros = Buffer.alloc(30_000);
  const digest = `sha256:${sha256(zeros)}`;
  const full = { status: 503, body: { code: 'overloaded', detail: 'full' } };
  const text = { text: 'a' };

  test('are tried again, after the time that the service names', async () => {
    const waiting = { ...full, headers: { 'retry-after': '1' } };
    const { client, calls } = await scripted([waiting, { status: 200, body: { tokens: 1 } }]);
    expect(await client.count(text)).toEqual({ tokens: 1 });
    expect((calls[1] as number) - (calls[0] as number)).toBeGreaterThan(990);
  });

  test('are told in the end', async () => {
    const { client, calls } = await scripted([full, full, full]);
    await expect(client.count(text)).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    expect(calls).toHaveLength(3);
  });

  test('of what stands between are known by their status', async () => {
    const gateway = { status: 502, body: {} };
    const { client } = await scripted([gateway, { status: 200, body: { tokens: 1 } }]);
    expect(await client.count(text)).toEqual({ tokens: 1 });
  });

  test('others are not tried again', async () => {
    const { client, calls } = await scripted([{ status: 404, body: { code: 'not_found', detail: 'none' } }]);
    await expect(client.count(text)).rejects.toMatchObject({ code: 'not_found' });
    expect(calls).toHaveLength(1);
  });

  test('nobody there: the error says where, without a password', async () => {
    const baseUrl = 'http://me:secret@127.0.0.1:1/';
    const client = new PreflightClient({ baseUrl, firstPauseMs: 1, retries: 1 });
    const error = await client.count(text).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'unreachable', status: 0 });
    expect((error as Error).message).toBe('unreachable: the service at http://127.0.0.1:1 did not answer');
  });

  test('a caller who leaves ends the waiting', async () => {
    const { baseUrl, calls } = await scripted([full, full]);
    const client = new PreflightClient({ baseUrl, firstPauseMs: 600_000 });
    const leaving = new AbortController();
    const counting = client.count(text, { signal: leaving.signal });
    counting.catch(() => undefined);
    await eventually(() => expect(calls).toHaveLength(1));
    leaving.abort(new Error('enough'));
    await expect(counting).rejects.toThrow('enough');
  });

  test('a service that asks for the same file for ever is not believed for ever', async () => {
    const { client, calls } = await scripted(
      Array.from({ length: 9 }, (_, i) =>
        i % 2 === 0
          ? { status: 424, body: { code: 'unknown_digests', detail: 'send', missing: [digest] } }
          : { status: 200, body: {} },
      ),
    );
    const counting = client.count({ messages: [{ role: 'user', content: [image(dataUri(zeros))] }] });
    await expect(counting).rejects.toMatchObject({ code: 'unknown_digests', status: 424 });
    expect(calls).toHaveLength(7);
  });
});
