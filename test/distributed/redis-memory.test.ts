import type { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { DistributedWorld } from '../harness/distributed.js';
import { forEach } from '../harness/for-each.js';
import { post } from '../harness/http.js';
import { seededBytes } from '../harness/seeded-texts.js';
import { waitFor } from '../harness/wait-for.js';
import { finalAnswer, submit } from '../jobs/job-calls.js';

/** `MEMORY_JOBS=200 MEMORY_MB=7 npx vitest run test/distributed/redis-memory` does more of the same. */
const JOBS = Number(process.env.MEMORY_JOBS ?? 24);
const ATTACHMENT_BYTES = Number(process.env.MEMORY_MB ?? 2) * 1_000_000;
const TIMEOUT_MS = 60_000 + 5_000 * JOBS;

/** What a job, a result or an event may take: some numbers a message. */
const SMALL_BYTES = 64 * 1024;

const withAttachment = (bytes: number, seed: number) => ({
  encoding: 'o200k_base',
  context_window: 100_000_000,
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'image_url',
          image_url: { url: `data:image/png;base64,${seededBytes(bytes, seed).toString('base64')}` },
        },
      ],
    },
  ],
});

test(`${JOBS} jobs with ${ATTACHMENT_BYTES} bytes each leave nothing of them on Redis`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const world = await DistributedWorld.start(onTestFinished, { PREFLIGHT_RESULT_LIFETIME_MS: '1000' });
  const [{ url }] = await Promise.all([world.startApi(), world.startCoordinator()]);
  const nothing = { name: '', bytes: 0 };
  let largestElsewhere = nothing;
  const runJobs = async (attachmentBytes: number, firstSeed: number) => {
    largestElsewhere = nothing;
    await forEach([...Array(JOBS).keys()], async (i) => {
      const payload = withAttachment(attachmentBytes, firstSeed + i);
      if (i % 2 === 0) {
        expect((await post(url, '/v1/preflight', payload)).status).toBe(200);
        return;
      }
      const { body } = await submit(url, '/v1/preflight', payload);
      if (i % 4 === 1) {
        const found = await world.look(largest);
        if (found.bytes > largestElsewhere.bytes) largestElsewhere = found;
      }
      const { status } = await finalAnswer(url, body.id, TIMEOUT_MS);
      // Redis is slow to make room, and the result may be gone before it was asked for.
      expect([200, 404, 410]).toContain(status);
    });
    await waitFor(async () => (await world.keys('payload:')).length === 0, { timeoutMs: TIMEOUT_MS });
  };
  // What the queue itself keeps, of jobs that have ended and of events, is there before.
  await runJobs(100_000, 0);
  const before = await world.look(usedBytes);
  await runJobs(ATTACHMENT_BYTES, JOBS);
  expect(largestElsewhere.bytes).toBeGreaterThan(0);
  expect(largestElsewhere.bytes, largestElsewhere.name).toBeLessThan(SMALL_BYTES);
  const limit = 1.1 * before;
  await waitFor(async () => (await world.look(usedBytes)) <= limit, {
    timeoutMs: 60_000,
    what: `used memory of at most ${limit} bytes`,
  });
});

async function usedBytes(redis: Redis): Promise<number> {
  // Without what is only kept for the connections of clients just now.
  const info = await redis.info('memory');
  const figure = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  return figure('used_memory') - figure('mem_clients_normal');
}

/** The largest of all that is no payload: jobs, events, results, and what says who needs what. */
async function largest(redis: Redis): Promise<{ name: string; bytes: number }> {
  let found = { name: '', bytes: 0 };
  for (const name of await redis.keys('*')) {
    if (/:(payload|upload):/.test(name)) continue;
    const entries = name.endsWith(':events') ? await redis.xlen(name) : 1;
    const bytes = Number(await redis.memory('USAGE', name, 'SAMPLES', 0)) / entries;
    if (bytes > found.bytes) found = { name, bytes };
  }
  return found;
}
