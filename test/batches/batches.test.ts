import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  allOf,
  ndjson,
  postBatch,
  type ReadResult,
  readResults,
  resultsIn,
  streamBatch,
} from '../harness/batches.js';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { get, post, send } from '../harness/http.js';
import { waitFor } from '../harness/wait-for.js';

const MIB = 1024 * 1024;
const encoding = 'o200k_base';
const line = (id: string, content = `hello from ${id}`) => ({
  id,
  encoding,
  context_window: 4_000,
  messages: [{ role: 'user', content }],
});
/** A line whose result is as long as itself. */
const echoing = (id: string, sizeBytes: number) => ({
  ...line(id, 'word '.repeat(sizeBytes / 5)),
  context_window: 10_000_000,
  return: 'conversation',
});
const byLine = (results: readonly ReadResult[]) => [...results].sort((a, b) => a.line - b.line);

describe.each(BOTH_WAYS)('batches, %s', (_, start) => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await start({ PREFLIGHT_BODY_LIMIT_BYTES: String(2 * MIB) }));
  });

  test('every line has a result of its own, whatever the others are', async () => {
    const id = randomUUID();
    const text = [
      JSON.stringify(line('good')),
      '{"id":"broken","messages":[',
      '',
      JSON.stringify({ ...line('unknown option'), surprise: 1 }),
      JSON.stringify(line('too long', 'x'.repeat(3 * MIB))),
      JSON.stringify({ ...line('too large to fit', 'word '.repeat(9_000)) }),
      '"no object"',
      JSON.stringify({ ...line('x'), id: 7 }),
      JSON.stringify({ encoding, context_window: 4_000, messages: [] }),
      '\uFFFF'.repeat(3),
      JSON.stringify(line('last, with no line break behind it')),
    ].join('\r\n');
    const answer = await postBatch(url, `id=${id}`, text);
    expect([answer.status, answer.body]).toEqual([202, { id, lines: 10 }]);
    expect(answer.headers.location).toBe(`/v1/batches/${id}/results`);
    const results = byLine(await allOf(readResults(url, id)));
    expect(results.map(({ line, id, status, body }) => [line, id, status, body.code])).toEqual([
      [1, 'good', 200, undefined],
      [2, null, 400, 'invalid_json'],
      [4, 'unknown option', 400, 'unknown_option'],
      [5, null, 413, 'body_too_large'],
      [6, 'too large to fit', 422, 'ran_out_of_messages'],
      [7, null, 400, 'invalid_request'],
      [8, null, 400, 'invalid_request'],
      [9, null, 200, undefined],
      [10, null, 400, 'invalid_json'],
      [11, 'last, with no line break behind it', 200, undefined],
    ]);
    for (const { line, offset_bytes } of results)
      expect(
        Buffer.from(text)
          .subarray(0, offset_bytes)
          .filter((byte) => byte === 0x0a).length,
      ).toBe(line - 1);
  });

  test('a result is what the call of its own is answered with', async () => {
    const id = randomUUID();
    const { id: _id, ...body } = line('a', 'word '.repeat(9_000));
    const cut = { ...body, messages: [...body.messages, { role: 'user', content: 'And?' }] };
    for (const call of ['preflight', 'count'] as const) {
      const given = call === 'count' ? { text: 'hello world', encoding } : cut;
      await postBatch(url, `id=${id}-${call}&call=${call}`, ndjson([{ id: 'a', ...given }]));
      const [result] = await allOf(readResults(url, `${id}-${call}`));
      const own = await post(url, `/v1/${call}`, given);
      const { id: _, timing: _t, cache: _c, ...expected } = own.body;
      expect(result).toMatchObject({ id: 'a', status: 200, body: expected });
    }
  });

  test('an empty batch has no results', async () => {
    const { body } = await postBatch(url, '', '');
    expect(body.lines).toBe(0);
    expect(await allOf(readResults(url, body.id))).toEqual([]);
  });

  test('results come while lines are sent, and from a cursor on', async () => {
    const id = randomUUID();
    const stop = new AbortController();
    const lines = Array.from({ length: 5 }, (_, i) => line(`line ${i}`));
    const sending = postBatch(url, `id=${id}`, ndjson(lines), { isEndless: true, signal: stop.signal });
    sending.catch(() => undefined);
    const seen: ReadResult[] = [];
    for await (const result of readResults(url, id)) if (seen.push(result) === 3) break;
    const rest: ReadResult[] = [];
    for await (const result of readResults(url, id, { after: seen[2]?.cursor as string }))
      if (rest.push(result) === 2) break;
    expect([...seen, ...rest].map(({ id }) => id).sort()).toEqual(lines.map(({ id }) => id));
    stop.abort();
    expect(await allOf(readResults(url, id, { after: rest[1]?.cursor as string }))).toEqual([]);
  });

  test('a caller who was cut off sends on under the same name', async () => {
    const id = randomUUID();
    const stop = new AbortController();
    const sending = postBatch(url, `id=${id}`, ndjson([line('a'), line('b')]), {
      isEndless: true,
      signal: stop.signal,
    });
    sending.catch(() => undefined);
    const done = new Set<string | null>();
    for await (const result of readResults(url, id)) if (done.add(result.id).size === 2) break;
    stop.abort();
    const all = ['a', 'b', 'c', 'd'].filter((name) => !done.has(name));
    expect((await postBatch(url, `id=${id}`, ndjson(all.map((name) => line(name))))).body.lines).toBe(2);
    for await (const result of readResults(url, id)) done.add(result.id);
    expect([...done].sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('of two uploads under one name the first to end does not end the batch', async () => {
    const id = randomUUID();
    let sendLast: (() => void) | undefined;
    async function* lines() {
      yield line('a');
      await new Promise<void>((resolve) => {
        sendLast = resolve;
      });
      yield line('c');
    }
    const long = streamBatch(url, `id=${id}`, lines());
    await waitFor(() => sendLast);
    expect((await postBatch(url, `id=${id}`, ndjson([line('b')]))).status).toBe(202);
    const seen: (string | null)[] = [];
    // Those that come until the first has ended and both of its neighbours are read.
    for await (const { id: name } of readResults(url, id)) if (seen.push(name) === 2) sendLast?.();
    expect((await long).status).toBe(202);
    expect([...seen].sort()).toEqual(['a', 'b', 'c']);
  });

  test('who reads slowly slows down who sends, and nothing is lost', async () => {
    const id = randomUUID();
    let sentLines = 0;
    async function* lines() {
      for (; sentLines < 120; sentLines++) yield echoing(`line ${sentLines}`, MIB);
    }
    const sending = streamBatch(url, `id=${id}`, lines());
    // Stands still when results of some 40 MiB wait and lines of 16 are under way.
    await waitFor(async () => {
      const before = sentLines;
      await sleep(1_000);
      return before > 0 && before === sentLines;
    });
    expect(sentLines).toBeLessThan(110);
    const results = await allOf(readResults(url, id));
    expect((await sending).status).toBe(202);
    expect(results.every(({ status, body }) => status === 200 && body.conversation)).toBe(true);
    expect(new Set(results.map(({ id }) => id)).size).toBe(120);
  });

  test('results may come in the answer, for callers who read while they send', async () => {
    let waiting: (() => void) | undefined;
    async function* lines() {
      yield line('first');
      await new Promise<void>((resolve) => {
        waiting = resolve;
      });
      yield line('second');
    }
    const answer = await streamBatch(url, `results=inline`, lines());
    const seen: (string | null)[] = [];
    for await (const { id } of resultsIn(answer.body as AsyncIterable<Uint8Array>)) {
      seen.push(id);
      waiting?.();
    }
    expect(seen).toEqual(['first', 'second']);
  });

  test.each([
    ['a name that is none', 'id=a/b', 'invalid_request'],
    ['an option that is none', 'colour=red', 'unknown_option'],
    ['another call', 'call=embed', 'invalid_request'],
  ])('%s is refused', async (_name, query, code) => {
    const answer = await postBatch(url, query, ndjson([line('a')]));
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  test('a body of another type is refused', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await send(url, { path: '/v1/batches', body: '{}', headers })).status).toBe(415);
  });

  test('an unknown batch is not found', async () => {
    expect((await get(url, '/v1/batches/none/results')).status).toBe(404);
  });

  test('a cursor that no result has yet is refused, and lets go of nothing', async () => {
    const id = randomUUID();
    await postBatch(url, `id=${id}`, ndjson([line('unread')]));
    for (const after of ['9999999999999-9', '999999999999999999', '9'.repeat(20), `${'9'.repeat(20)}-1`]) {
      const answer = await get(url, `/v1/batches/${id}/results?after=${after}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.errors).toMatchObject([{ pointer: '/after' }]);
    }
    expect((await allOf(readResults(url, id))).map(({ id }) => id)).toEqual(['unread']);
  });

  test('a cursor that is none is refused', async () => {
    const answer = await get(url, '/v1/batches/none/results?after=x');
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });
});

describe.each(BOTH_WAYS)('a batch with little time, %s', (_, start) => {
  let service: Running;
  beforeAll(async () => {
    service = await start({ PREFLIGHT_DEADLINE_MS: '1000', PREFLIGHT_BODY_LIMIT_BYTES: String(2 * MIB) });
  });

  test('may take longer than any request, as long as it goes on', async () => {
    async function* lines() {
      for (let i = 0; i < 10; i++) {
        yield line(`line ${i}`);
        await sleep(300);
      }
    }
    const id = randomUUID();
    const answer = await streamBatch(service.url, `id=${id}`, lines());
    expect([answer.status, await answer.json()]).toEqual([202, { id, lines: 10 }]);
    expect(await allOf(readResults(service.url, id))).toHaveLength(10);
  });

  test('is given up when it stands still', async () => {
    const answer = await postBatch(service.url, '', ndjson([line('a')]), { isEndless: true });
    expect([answer.status, answer.body.code]).toEqual([408, 'request_timeout']);
  });

  test('is given up when nobody reads its results, which can be read all the same', async () => {
    const id = randomUUID();
    // Small enough to be answered in time on the busiest machine.
    const many = Array.from({ length: 240 }, (_, i) => echoing(`line ${i}`, MIB / 4));
    const answer = await postBatch(service.url, `id=${id}`, ndjson(many));
    expect([answer.status, answer.body.code]).toEqual([409, 'results_not_read']);
    expect(answer.headers.location).toBe(`/v1/batches/${id}/results`);
    expect((await allOf(readResults(service.url, id))).length).toBeGreaterThan(100);
  });
});
