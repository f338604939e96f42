import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../test/harness/wait-for.js';
import type { Line } from './lines.js';
import { type RunBatchOptions, runBatch } from './run-batch.js';

async function* linesOf(sizes: readonly number[]): AsyncGenerator<Line> {
  for (const [i, sizeBytes] of sizes.entries())
    yield { number: i + 1, offsetBytes: 0, sizeBytes, bytes: undefined };
}

/** Lines that are done when the test says so. */
function start(sizes: readonly number[], options: Partial<RunBatchOptions> = {}) {
  const underWay = new Map<number, { done: () => void; fail: (error: Error) => void }>();
  const running = runBatch(linesOf(sizes), {
    linesAtOnce: 2,
    bytesAtOnce: 100,
    signal: new AbortController().signal,
    perform: ({ number }) =>
      new Promise((done, fail) => {
        const settle = (how: () => void) => {
          underWay.delete(number);
          how();
        };
        underWay.set(number, { done: () => settle(done), fail: (error) => settle(() => fail(error)) });
      }),
    ...options,
  });
  running.catch(() => undefined);
  const areUnderWay = (...numbers: number[]) =>
    waitFor(() => JSON.stringify([...underWay.keys()]) === JSON.stringify(numbers), {
      state: () => [...underWay.keys()].join(),
    });
  return { running, underWay, areUnderWay, end: (number: number) => underWay.get(number)?.done() };
}

test('so many lines at a time', async () => {
  const { running, areUnderWay, end } = start([1, 1, 1]);
  await areUnderWay(1, 2);
  end(2);
  await areUnderWay(1, 3);
  end(1);
  end(3);
  expect(await running).toBe(3);
});

test('so many bytes at a time, and a long line alone', async () => {
  const { running, areUnderWay, end } = start([60, 60, 500]);
  await areUnderWay(1);
  end(1);
  await areUnderWay(2);
  end(2);
  await areUnderWay(3);
  end(3);
  expect(await running).toBe(3);
});

test('a line that finds no use in going on ends it, once the others have ended', async () => {
  const { running, underWay, areUnderWay, end } = start([1, 1, 1]);
  await areUnderWay(1, 2);
  let isOver = false;
  running.catch(() => {
    isOver = true;
  });
  underWay.get(1)?.fail(new RangeError('the store is gone'));
  await areUnderWay(2);
  await setImmediate();
  expect(isOver).toBe(false);
  end(2);
  await expect(running).rejects.toThrow('the store is gone');
});
