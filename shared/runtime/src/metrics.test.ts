import type { Decision } from '@preflight/core';
import { expect, test } from 'vitest';
import { Metrics } from './metrics.js';

/** What is said of one metric, by its labels. */
async function valuesOf(metrics: Metrics, name: string): Promise<Record<string, number>> {
  const lines = [...(await metrics.text()).matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (.*)$`, 'gm'))];
  return Object.fromEntries(lines.map(([, labels = '', value]) => [labels, Number(value)]));
}

const fitted = { outcome: 'truncated', tokens: { before: 5_000, after: 900 } } as unknown as Decision;
const refused = {
  outcome: 'refused',
  code: 'ran_out_of_messages',
  figures: { historyTokensBefore: 90_000, historyTokensAfter: 80_000 },
} as unknown as Decision;

test('tokens of conversations before and after, and refusals by their code', async () => {
  const metrics = new Metrics();
  for (const decision of [fitted, fitted, refused]) metrics.decided(decision);
  expect(await valuesOf(metrics, 'preflight_conversation_tokens_bucket')).toMatchObject({
    'le="1024",when="before"': 0,
    'le="1024",when="after"': 2,
    'le="8192",when="before"': 2,
    'le="+Inf",when="before"': 3,
  });
  expect(await valuesOf(metrics, 'preflight_conversation_tokens_sum')).toEqual({
    'when="before"': 100_000,
    'when="after"': 81_800,
  });
  expect(await valuesOf(metrics, 'preflight_failures_total')).toEqual({ 'code="ran_out_of_messages"': 1 });
});

test('what was received, looked up and waited for', async () => {
  const metrics = new Metrics();
  metrics.received(10);
  metrics.received(5);
  metrics.lookedUp({ hits: 3, misses: 1 });
  metrics.jobEnded({ waitMs: 20, runMs: 2_000 });
  metrics.requestEnded('/v1/count', 200, 0.5);
  expect(await valuesOf(metrics, 'preflight_received_bytes_total')).toEqual({ '': 15 });
  expect(await valuesOf(metrics, 'preflight_count_cache_lookups_total')).toEqual({
    'result="hit"': 3,
    'result="miss"': 1,
  });
  expect(await valuesOf(metrics, 'preflight_job_wait_seconds_sum')).toEqual({ '': 0.02 });
  expect(await valuesOf(metrics, 'preflight_job_run_seconds_sum')).toEqual({ '': 2 });
  expect(await valuesOf(metrics, 'preflight_http_request_duration_seconds_count')).toEqual({
    'route="/v1/count",status="200"': 1,
  });
});

test('queue and pool are asked when somebody looks', async () => {
  let isAway = false;
  const queue = async () => {
    if (isAway) throw new Error('away');
    return { waiting: 4, active: 3, delayed: 2, failed: 1 };
  };
  const pool = { threads: 2, runningTasks: 1, waitingTasks: 7, countedBytes: 1_000 };
  const metrics = new Metrics({ queue, pool: () => pool });
  expect(await valuesOf(metrics, 'preflight_queue_jobs')).toEqual({
    'state="waiting"': 4,
    'state="active"': 3,
    'state="delayed"': 2,
    'state="failed"': 1,
  });
  expect(await valuesOf(metrics, 'preflight_pool_tasks')).toEqual({
    'state="running"': 1,
    'state="waiting"': 7,
  });
  pool.countedBytes = 1_500;
  expect(await valuesOf(metrics, 'preflight_encoded_bytes_total')).toEqual({ '': 1_500 });
  isAway = true;
  expect(await valuesOf(metrics, 'preflight_queue_jobs')).toEqual({});
  expect(await valuesOf(metrics, 'preflight_pool_threads')).toEqual({ '': 2 });
});
