import { expect, test } from 'vitest';
import { finish, type Steps } from './steps.js';

test('all steps are done, and the result is theirs', () => {
  const done: number[] = [];
  const steps = (function* (): Steps<string> {
    for (let i = 0; i < 3; i++) {
      done.push(i);
      yield;
    }
    return 'end';
  })();
  expect(finish(steps)).toBe('end');
  expect(done).toEqual([0, 1, 2]);
});
