import { PreflightClient } from '@preflight/client';
import type { BatchResult } from '@preflight/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { allOf } from '../harness/batches.js';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { startServer } from '../harness/server-process.js';
import { TcpProxy } from '../harness/tcp-proxy.js';
import { waitFor } from '../harness/wait-for.js';

const line = (i: number) => ({ id: `line ${i}`, encoding: 'o200k_base', text: `text number ${i}` });
const lines = (count: number) => Array.from({ length: count }, (_, i) => line(i));
const idsOf = (results: readonly BatchResult[]) => results.map(({ id }) => id).sort();
const allIds = (count: number) =>
  lines(count)
    .map(({ id }) => id)
    .sort();

describe.each(BOTH_WAYS)('a batch by the client, %s', (_, start) => {
  let service: Running;
  beforeAll(async () => {
    service = await start();
  });

  test('gives each line its result', async () => {
    const client = new PreflightClient({ baseUrl: service.url });
    const results = await allOf(client.batch(() => lines(300), { call: 'count' }));
    expect(idsOf(results)).toEqual(allIds(300));
    for (const { body } of results) expect(body).toMatchObject({ encoding: 'o200k_base', exact: true });
  });

  test('does not keep what was sent', async () => {
    const client = new PreflightClient({ baseUrl: service.url });
    function* large() {
      for (let i = 0; i < 200; i++) yield { ...line(i), text: `${i} `.repeat(1_000_000 / `${i} `.length) };
    }
    const keptBefore = process.memoryUsage().arrayBuffers;
    let most = 0;
    for await (const { status } of client.batch(large, { call: 'count' })) {
      expect(status).toBe(200);
      most = Math.max(most, process.memoryUsage().arrayBuffers - keptBefore);
    }
    expect(most).toBeLessThan(120_000_000);
  });

  test('does not send what is done', async () => {
    const client = new PreflightClient({ baseUrl: service.url });
    const done = new Set(allIds(40));
    const results = await allOf(client.batch(() => lines(50), { call: 'count', done }));
    expect(results).toHaveLength(10);
    expect([...done].sort()).toEqual(allIds(50));
  });

  test('goes on where its connection was cut', async () => {
    const proxy = await TcpProxy.to(Number(new URL(service.url).port));
    const baseUrl = `http://127.0.0.1:${proxy.port}`;
    const client = new PreflightClient({ baseUrl, firstPauseMs: 10 });
    const results: BatchResult[] = [];
    for await (const result of client.batch(() => lines(2_000), { call: 'count' })) {
      if (results.push(result) % 700 !== 0) continue;
      proxy.behaviour = 'refuse';
      setTimeout(() => {
        proxy.behaviour = 'pass';
      }, 50);
    }
    expect(new Set(idsOf(results)).size).toBe(2_000);
    expect(results).toHaveLength(2_000);
    await proxy.close();
  });

  test('a reader who leaves ends it', async () => {
    const client = new PreflightClient({ baseUrl: service.url });
    let isClosed = false;
    function* endless() {
      try {
        for (let i = 0; ; i++) yield line(i);
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of client.batch(endless, { call: 'count' })) break;
    await waitFor(() => isClosed, { what: 'the end of the lines' });
  });
});

test('nobody there', async () => {
  const client = new PreflightClient({ baseUrl: 'http://127.0.0.1:1', retries: 1, firstPauseMs: 1 });
  await expect(allOf(client.batch(() => lines(1)))).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('http://127.0.0.1:1 '),
  });
});

test('what does not pass is told', async () => {
  const { url } = await startServer();
  const client = new PreflightClient({ baseUrl: url });
  const asking = allOf(client.batch(() => lines(1), { batchId: 'no/name' }));
  await expect(asking).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
});
