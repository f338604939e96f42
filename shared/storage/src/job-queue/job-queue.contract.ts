import { PreflightError } from '@preflight/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/harness/wait-for.js';
import type { JobLimits } from './job-limits.js';
import type { ConsumeOptions, Consumer, JobHandler, JobQueue, JobState } from './job-queue.js';

export interface TestData {
  readonly n: number;
}

export const TEST_LIMITS: Partial<JobLimits> = { maxAttempts: 3, retryPauseMs: 20, maxWaiting: 1_000 };

/** Something that happens once, and can be waited for. */
export class Happening<T = void> {
  resolve!: (value: T) => void;
  readonly happened = new Promise<T>((resolve) => {
    this.resolve = resolve;
  });
}

/** A handler that runs until it is told to end, or its signal is aborted. */
export const untilAborted = (started: Happening): JobHandler<TestData> => {
  return (_job, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      started.resolve();
    });
};

/** What every adapter must do. `open` gives an empty queue with TEST_LIMITS. */
export function describeJobQueue(name: string, open: () => Promise<JobQueue<TestData>>): void {
  describe(`${name} as a job queue`, () => {
    let queue: JobQueue<TestData>;
    beforeEach(async () => {
      queue = await open();
    });
    afterEach(() => queue.close());

    const add = (id: string, n = 0, priority?: number) =>
      queue.add({ id, data: { n }, ...(priority === undefined ? {} : { priority }) });
    const final = (id: string) => queue.waitUntilFinal(id, new AbortController().signal);

    async function consume(handler: JobHandler<TestData>, options: Partial<ConsumeOptions> = {}) {
      const consumer: Consumer = queue.consume(handler, { concurrency: 4, stopGraceMs: 2_000, ...options });
      await consumer.start();
      return consumer;
    }

    test('a job comes to its handler with its data, and is completed', async () => {
      expect(await queue.state('job-a')).toBeUndefined();
      expect(await add('job-a', 7)).toBe('added');
      expect(await queue.state('job-a')).toEqual({ status: 'waiting', attempt: 1 });
      const seen: unknown[] = [];
      await consume(async (job) => {
        seen.push(job, await queue.state('job-a'));
      });
      expect(await final('job-a')).toEqual({ status: 'completed' });
      expect(await queue.state('job-a')).toEqual({ status: 'completed' });
      expect(seen).toEqual([
        { id: 'job-a', data: { n: 7 }, attempt: 1, waitedMs: expect.any(Number) },
        { status: 'active', attempt: 1 },
      ]);
    });

    test('an id is taken once, whatever its state', async () => {
      expect(await add('job-a', 1)).toBe('added');
      expect(await add('job-a', 2)).toBe('known');
      const seen: number[] = [];
      await consume(async ({ data }) => void seen.push(data.n));
      await final('job-a');
      expect(await add('job-a', 3)).toBe('known');
      const answers = await Promise.all([4, 5, 6, 7].map((n) => add('job-b', n)));
      expect(answers.filter((answer) => answer === 'added')).toHaveLength(1);
      await final('job-b');
      expect(seen).toHaveLength(2);
      expect(seen[0]).toBe(1);
    });

    test('one that is to be forgotten when it is completed is unknown then; who waits is told', async () => {
      const done = final('job-a');
      const failed = final('job-b');
      for (const id of ['job-a', 'job-b']) await queue.add({ id, data: { n: 1 }, forgetWhenCompleted: true });
      await consume(async ({ id }) => {
        if (id === 'job-b') throw new PreflightError('unknown_encoding');
      });
      expect(await done).toEqual({ status: 'completed' });
      await waitFor(async () => (await queue.state('job-a')) === undefined);
      expect(await failed).toMatchObject({ status: 'failed', fault: { code: 'unknown_encoding' } });
      expect(await queue.state('job-b')).toMatchObject({ status: 'failed' });
      expect(await final('job-a')).toBeUndefined();
    });

    test.each(['', '17', 'a:b', 'a b', 'ä', 'x'.repeat(129)])('%j is no id', async (id) => {
      await expect(add(id)).rejects.toThrow(RangeError);
    });

    test('data that is too large is refused', async () => {
      const data = { n: 1, text: 'x'.repeat(70_000) };
      await expect(queue.add({ id: 'job-a', data })).rejects.toThrow(RangeError);
    });

    test('lower priorities come first, equal ones in their order', async () => {
      await add('late', 1, 5);
      await add('middle-1', 2, 1);
      await add('middle-2', 3, 1);
      await add('first-1', 4);
      await add('first-2', 5);
      const seen: string[] = [];
      await consume(async ({ id }) => void seen.push(id), { concurrency: 1 });
      await final('late');
      expect(seen).toEqual(['first-1', 'first-2', 'middle-1', 'middle-2', 'late']);
    });

    test('waiters may come before the job, while it runs, and after its end', async () => {
      const before = final('job-a');
      await add('job-a');
      const during = [final('job-a'), final('job-a')];
      await consume(async () => {});
      const states = await Promise.all([before, ...during]);
      states.push(await final('job-a'));
      expect(states).toEqual(Array.from({ length: 4 }, () => ({ status: 'completed' })));
    });

    test('a waiter leaves with the reason of its signal, and the job goes on', async () => {
      const controller = new AbortController();
      const waiting = queue.waitUntilFinal('job-a', controller.signal);
      await add('job-a');
      controller.abort(new Error('deadline'));
      await expect(waiting).rejects.toThrow('deadline');
      await expect(queue.waitUntilFinal('job-a', controller.signal)).rejects.toThrow('deadline');
      await consume(async () => {});
      expect(await final('job-a')).toEqual({ status: 'completed' });
    });

    test('never more jobs at a time than asked for, and all of them get done', async () => {
      let running = 0;
      let most = 0;
      const ids = Array.from({ length: 200 }, (_, index) => `job-${index}`);
      const ends = ids.map(final);
      await Promise.all(ids.map((id) => add(id)));
      await consume(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      });
      expect(await Promise.all(ends)).toEqual(ids.map(() => ({ status: 'completed' })));
      expect(most).toBeLessThanOrEqual(4);
      expect(most).toBeGreaterThan(1);
    });

    test('two consumers share the jobs, and each is done once', async () => {
      const seen: string[] = [];
      const ids = Array.from({ length: 60 }, (_, index) => `job-${index}`);
      const handler: JobHandler<TestData> = async ({ id }) => void seen.push(id);
      await Promise.all([consume(handler), consume(handler)]);
      await Promise.all(ids.map((id) => add(id)));
      await Promise.all(ids.map(final));
      expect(seen.sort()).toEqual(ids.sort());
    });

    test('a fault that may pass is tried again', async () => {
      const attempts: number[] = [];
      await add('job-a');
      await consume(async ({ attempt }) => {
        attempts.push(attempt);
        if (attempt < 3) throw new PreflightError('overloaded');
      });
      expect(await final('job-a')).toEqual({ status: 'completed' });
      expect(await queue.state('job-a')).toEqual({ status: 'completed' });
      expect(attempts).toEqual([1, 2, 3]);
    });

    test('a fault that does not pass ends the job after its attempts', async () => {
      const attempts: number[] = [];
      await add('job-a');
      await consume(async ({ attempt }) => {
        attempts.push(attempt);
        throw new PreflightError('overloaded', { params: { attempt } });
      });
      const failed = { status: 'failed', fault: { code: 'overloaded', params: { attempt: 3 } } };
      expect(await final('job-a')).toMatchObject(failed);
      expect(await queue.state('job-a')).toMatchObject(failed);
      expect(attempts).toEqual([1, 2, 3]);
    });

    test('a fault that cannot pass ends it at once, with all its parts', async () => {
      let attempts = 0;
      await add('job-a');
      await consume(async () => {
        attempts += 1;
        throw new PreflightError('ran_out_of_messages', {
          params: { budget: -5 },
          issues: [{ pointer: '/messages/0', detail: 'too long' }],
        });
      });
      expect(await final('job-a')).toMatchObject({
        status: 'failed',
        fault: { code: 'ran_out_of_messages', params: { budget: -5 }, issues: [{ pointer: '/messages/0' }] },
      });
      expect(attempts).toBe(1);
    });

    test('whatever else is thrown becomes an internal error', async () => {
      await add('job-a');
      await consume(async () => {
        throw new TypeError(`a secret ${'and long '.repeat(2_000)}text`);
      });
      const state = (await final('job-a')) as Extract<JobState, { status: 'failed' }>;
      expect(state.fault.code).toBe('internal_error');
      expect(state.fault.publicDetail).not.toContain('secret');
      expect(state.fault.internalDetail).toContain('TypeError: a secret');
      expect(JSON.stringify(state.fault).length).toBeLessThan(5_000);
    });

    test('a waiting job is cancelled at once, is never run, and its id stays known', async () => {
      await add('job-a');
      await add('job-b');
      const waiting = final('job-a');
      expect(await queue.cancel('job-a')).toBe('cancelled');
      expect(await waiting).toEqual({ status: 'cancelled' });
      expect(await queue.state('job-a')).toEqual({ status: 'cancelled' });
      expect(await queue.cancel('job-a')).toBe('final');
      expect(await add('job-a')).toBe('known');
      const seen: string[] = [];
      await consume(async ({ id }) => void seen.push(id));
      await final('job-b');
      expect(seen).toEqual(['job-b']);
      expect(await final('job-a')).toEqual({ status: 'cancelled' });
    });

    test('the handler of a running job is told, and the job is cancelled when it obeys', async () => {
      const started = new Happening();
      await add('job-a');
      await consume(untilAborted(started));
      await started.happened;
      expect(await queue.cancel('job-a')).toBe('requested');
      expect(await final('job-a')).toEqual({ status: 'cancelled' });
      expect(await queue.state('job-a')).toEqual({ status: 'cancelled' });
      expect(await add('job-a')).toBe('known');
    });

    test('a handler that was told and finishes all the same has completed its job', async () => {
      const started = new Happening();
      await add('job-a');
      await consume(async (_job, { signal }) => {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
          started.resolve();
        });
      });
      await started.happened;
      await queue.cancel('job-a');
      expect(await final('job-a')).toEqual({ status: 'completed' });
    });

    test('a job between two attempts is cancelled', async () => {
      let attempts = 0;
      await add('job-a');
      await consume(async () => {
        attempts += 1;
        throw new PreflightError('overloaded');
      });
      await waitFor(async () => {
        const state = await queue.state('job-a');
        return state?.status === 'waiting' && state.attempt > 1;
      });
      await queue.cancel('job-a');
      expect(await final('job-a')).toEqual({ status: 'cancelled' });
      expect(attempts).toBeLessThan(3);
    });

    test('there is nothing to cancel at unknown and ended jobs', async () => {
      expect(await queue.cancel('job-a')).toBe('unknown');
      await add('job-a');
      await consume(async () => {});
      await final('job-a');
      expect(await queue.cancel('job-a')).toBe('final');
      expect(await queue.state('job-a')).toEqual({ status: 'completed' });
    });

    test('listeners are told states and progress', async () => {
      const states: JobState[] = [];
      const ended = new Happening();
      await add('job-a');
      const unsubscribe = queue.subscribe('job-a', (state) => {
        states.push(state);
        if (state.status === 'completed') ended.resolve();
      });
      await waitFor(() => states.length > 0);
      await consume(async (_job, { progress }) => {
        progress({ done: 1, of: 2 });
        await waitFor(() => states.some((state) => state.status === 'active' && state.progress?.done === 1));
        progress({ done: 2, of: 2 });
        await waitFor(() => states.some((state) => state.status === 'active' && state.progress?.done === 2));
      });
      await ended.happened;
      unsubscribe();
      expect(states[0]).toEqual({ status: 'waiting', attempt: 1 });
      expect(states).toContainEqual({ status: 'active', attempt: 1, progress: { done: 2, of: 2 } });
      expect(states.filter(({ status }) => status === 'completed')).toHaveLength(1);
    });

    test('a consumer that stops lets running jobs end, and takes no others', async () => {
      const started = new Happening();
      const finish = new Happening();
      const seen: string[] = [];
      const consumer = await consume(
        async ({ id }) => {
          seen.push(id);
          started.resolve();
          await finish.happened;
        },
        { concurrency: 1 },
      );
      await add('job-a');
      await add('job-b');
      await started.happened;
      const stopping = consumer.stop();
      finish.resolve();
      await stopping;
      expect(await queue.state('job-a')).toEqual({ status: 'completed' });
      expect(await queue.state('job-b')).toEqual({ status: 'waiting', attempt: 1 });
      expect(seen).toEqual(['job-a']);
    });

    test('what does not end in time goes back, costs no attempt, and is done by another consumer', async () => {
      const started = new Happening();
      const consumer = await consume(untilAborted(started), { stopGraceMs: 20 });
      await add('job-a');
      await started.happened;
      await consumer.stop();
      expect(await queue.state('job-a')).toEqual({ status: 'waiting', attempt: 1 });
      const attempts: number[] = [];
      await consume(async ({ attempt }) => void attempts.push(attempt));
      expect(await final('job-a')).toEqual({ status: 'completed' });
      expect(attempts).toEqual([1]);
    });

    test('starting and stopping may be repeated', async () => {
      const consumer = queue.consume(async () => {}, { concurrency: 2 });
      await consumer.stop();
      await Promise.all([consumer.start(), consumer.start()]);
      await Promise.all([consumer.stop(), consumer.stop()]);
      await consumer.start();
      await add('job-a');
      expect(await final('job-a')).toEqual({ status: 'completed' });
      await consumer.stop();
    });

    test('tells how many jobs are where', async () => {
      const started = new Happening();
      await add('bad');
      const failing = await consume(async () => {
        throw new PreflightError('invalid_request');
      });
      await final('bad');
      await failing.stop();
      await add('runs');
      await consume(untilAborted(started), { concurrency: 1, stopGraceMs: 20 });
      await started.happened;
      await add('waits-1');
      await add('waits-2', 1, 3);
      expect(await queue.figures()).toEqual({ waiting: 2, active: 1, delayed: 0, failed: 1 });
    });

    test('what is closed lets its waiters go', async () => {
      const waiting = final('job-a');
      await add('job-a');
      await queue.close();
      expect(await waiting).toBeUndefined();
      queue = await open();
    });

    test('a full queue refuses', async () => {
      for (let batch = 0; batch < 10; batch += 1) {
        await Promise.all(Array.from({ length: 100 }, (_, index) => add(`job-${batch}-${index}`)));
      }
      // Counted now and then, so some more may slip in.
      const refused = await waitFor(async () => {
        const error = await add(`more-${Math.random()}`.replace('.', '')).catch((error) => error);
        return error !== 'added' && error;
      });
      expect(refused).toMatchObject({ code: 'overloaded' });
      expect(await add('job-1-1')).toBe('known');
    });
  });
}
