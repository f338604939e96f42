import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { whenAborted } from './when-aborted.js';

test('calls back once, at once if need be', () => {
  const controller = new AbortController();
  const callback = vi.fn();
  whenAborted(controller.signal, callback);
  expect(callback).not.toHaveBeenCalled();
  controller.abort();
  expect(callback).toHaveBeenCalledOnce();
  whenAborted(controller.signal, callback);
  expect(callback).toHaveBeenCalledTimes(2);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});
