import { expect, test } from 'vitest';
import { PriorityFifo } from './priority-fifo.js';

test('lower priorities first, equal ones in their order', () => {
  const fifo = new PriorityFifo<string>();
  for (const [item, priority] of [
    ['b1', 1],
    ['a1', 0],
    ['b2', 1],
    ['c', 7],
    ['a2', 0],
  ] as const) {
    fifo.add(item, priority);
  }
  expect(fifo.remove('b1', 1)).toBe(true);
  expect(fifo.remove('b1', 1)).toBe(false);
  expect(fifo.size).toBe(4);
  const taken = [fifo.take(), fifo.take(), fifo.take(), fifo.take(), fifo.take()];
  expect(taken).toEqual(['a1', 'a2', 'b2', 'c', undefined]);
  expect(fifo.size).toBe(0);
});
