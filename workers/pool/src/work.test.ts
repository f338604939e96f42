import { getEventListeners } from 'node:events';
import { PreflightError } from '@preflight/core';
import { describe, expect, test, vi } from 'vitest';
import { unlessAborted, Work } from './work.js';

describe('unlessAborted', () => {
  test('is what runs, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(5), signal)).toBe(5);
    await expect(unlessAborted(Promise.reject(new Error('x')), signal)).rejects.toThrow('x');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('rejects at once when the signal comes first, and nobody hears of what fails later', async () => {
    const controller = new AbortController();
    const onAbort = vi.fn();
    let fail = (_: Error) => {};
    const running = new Promise((_, reject) => {
      fail = reject;
    });
    const waiting = unlessAborted(running, controller.signal, onAbort);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'request_cancelled' });
    expect(onAbort).toHaveBeenCalledOnce();
    fail(new Error('late'));
  });

  test('rejects with the reason, if that is one of ours', async () => {
    const deadline = new PreflightError('deadline_exceeded');
    const waiting = unlessAborted(new Promise(() => {}), AbortSignal.abort(deadline));
    await expect(waiting).rejects.toBe(deadline);
  });
});

describe('Work', () => {
  test('raises its flag and its signal together', () => {
    const work = new Work(undefined);
    expect([new Int32Array(work.flag)[0], work.isCancelled]).toEqual([0, false]);
    work.cancel();
    work.cancel();
    expect([new Int32Array(work.flag)[0], work.isCancelled, work.signal.aborted]).toEqual([1, true, true]);
  });

  test('reports nothing once it is cancelled', () => {
    const onTask = vi.fn();
    const work = new Work(onTask);
    work.report({ waitMs: 1, runMs: 2 });
    work.cancel();
    work.report({ waitMs: 3, runMs: 4 });
    expect(onTask.mock.calls).toEqual([[{ waitMs: 1, runMs: 2 }]]);
  });
});
