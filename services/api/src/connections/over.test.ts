import { PreflightError } from '@preflight/core';
import { describe, expect, test, vi } from 'vitest';
import { ANSWERED, Over } from './over.js';

const left = new PreflightError('request_cancelled');

describe('Over', () => {
  test('calls back once, in the order in which they asked, and at once when it is over', () => {
    const over = new Over();
    const called: string[] = [];
    over.when(() => called.push('first'));
    over.when(() => called.push('second'));
    expect([over.reason, called]).toEqual([undefined, []]);
    over.end(left);
    over.end(ANSWERED);
    over.when(() => called.push('late'));
    expect(called).toEqual(['first', 'second', 'late']);
    expect(over.reason).toBe(left);
  });

  test('its signal is aborted with the reason, whichever comes first', () => {
    const [early, late] = [new Over(), new Over()];
    const onAbort = vi.fn();
    early.signal.addEventListener('abort', onAbort);
    expect(early.signal.aborted).toBe(false);
    for (const over of [early, late]) over.end(left);
    expect([early.signal.reason, late.signal.reason]).toEqual([left, left]);
    expect(onAbort).toHaveBeenCalledOnce();
  });
});
