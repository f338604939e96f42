import { describe, expect, test } from 'vitest';
import { putBlob } from '../harness/blobs.js';
import { BOTH_WAYS } from '../harness/both-ways.js';
import { get, post } from '../harness/http.js';
import { metricsOf } from '../harness/metrics.js';
import { MARKER } from '../harness/problems.js';
import { finalAnswer, submit } from '../jobs/job-calls.js';

const user = (content: string) => ({ role: 'user', content });
const preflight = (content: string, contextWindow: number) => ({
  agent: MARKER,
  encoding: 'o200k_base',
  context_window: contextWindow,
  messages: [user(content), user('And?')],
});

describe.each(BOTH_WAYS)('/metrics, %s', (_, start) => {
  test('tells what was done, by names of ours alone', async () => {
    const { url } = await start();
    const long = `${MARKER} ${'of words '.repeat(5_000)}`;
    for (const payload of [preflight(long, 100_000), preflight(long, 100_000), preflight(long, 10)])
      await post(url, '/v1/preflight', payload);
    await post(url, `/v1/count?${MARKER}`, { text: 1, [MARKER]: 1 });
    await get(url, `/${MARKER}`);
    await putBlob(url, Buffer.alloc(1_000));
    const { id } = (await submit(url, '/v1/preflight', preflight(`${long}, later`, 100_000))).body;
    await finalAnswer(url, id);

    const { headers, text } = await get(url, '/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).not.toContain(MARKER);
    const metrics = await metricsOf(url);
    expect(metrics.get('preflight_failures_total{code="unknown_option"}')).toBe(1);
    expect(metrics.get('preflight_failures_total{code="not_found"}')).toBe(1);
    expect(metrics.get('preflight_failures_total{code="ran_out_of_messages"}')).toBe(1);
    expect(metrics.get('preflight_received_bytes_total')).toBeGreaterThan(4 * long.length);
    expect(metrics.get('preflight_count_cache_lookups_total{result="hit"}')).toBeGreaterThan(0);
    expect(metrics.get('preflight_count_cache_lookups_total{result="miss"}')).toBeGreaterThan(0);
    expect(metrics.get('preflight_conversation_tokens_count{when="before"}')).toBeGreaterThanOrEqual(3);
    expect(
      metrics.get('preflight_http_request_duration_seconds_count{route="/v1/preflight",status="422"}'),
    ).toBe(1);
    expect(metrics.get('preflight_queue_jobs{state="waiting"}')).toBe(0);
    expect(metrics.get('preflight_pool_threads')).toBeGreaterThan(0);
    expect(metrics.get('preflight_held_bytes{what="held"}')).toBeGreaterThanOrEqual(0);
    expect(metrics.get('preflight_held_bytes{what="limit"}')).toBeGreaterThan(0);
  });
});

test('what is known is not encoded again', async () => {
  const [[, start]] = BOTH_WAYS as [(typeof BOTH_WAYS)[0]];
  const { url } = await start();
  const text = 'a text that is counted once. '.repeat(10_000);
  const encodedBytes = async () => (await metricsOf(url)).get('preflight_encoded_bytes_total') as number;
  await post(url, '/v1/count', { text, encoding: 'o200k_base' });
  const once = await encodedBytes();
  expect(once).toBeGreaterThanOrEqual(text.length);
  await post(url, '/v1/count', { text, encoding: 'o200k_base' });
  expect(await encodedBytes()).toBe(once);
});
