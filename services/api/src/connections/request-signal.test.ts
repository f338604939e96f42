import { PreflightError } from '@preflight/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ANSWERED, Over } from './over.js';
import { requestSignal } from './request-signal.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('aborts with the deadline', () => {
  const over = new Over();
  const signal = requestSignal(over, 1000);
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({ code: 'deadline_exceeded', params: { deadline_ms: 1000 } });
});

test('aborts when the request is over, and leaves no timer', () => {
  const over = new Over();
  const signal = requestSignal(over, 1000);
  const reason = new PreflightError('request_cancelled');
  over.end(reason);
  expect(signal.reason).toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test('does not abort when the request has been answered, and leaves no timer', () => {
  const over = new Over();
  const signal = requestSignal(over, 1000);
  over.end(ANSWERED);
  expect(signal.aborted).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('is aborted from the start for a caller who has left already', () => {
  const over = new Over();
  over.end(new PreflightError('request_cancelled'));
  expect(requestSignal(over, 1000).aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
