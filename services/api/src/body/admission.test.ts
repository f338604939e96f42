import { expect, test } from 'vitest';
import { Admission } from './admission.js';

test('takes what fits and refuses what does not, with figures', () => {
  const admission = new Admission(100);
  admission.admit(60);
  admission.admit(40);
  expect(() => admission.admit(1)).toThrow(
    expect.objectContaining({
      code: 'overloaded',
      params: { limit_bytes: 100, held_bytes: 100, wanted_bytes: 1 },
    }),
  );
  expect(admission.heldBytes).toBe(100);
  admission.admit(0);
});

test('what is given back can be taken again, once', () => {
  const admission = new Admission(100);
  const permit = admission.admit(80);
  permit.resize(30);
  expect(admission.heldBytes).toBe(30);
  permit.release();
  permit.release();
  permit.resize(50);
  expect(admission.heldBytes).toBe(0);
  admission.admit(100);
});

test('a permit grows as far as there is room, and is as before when there is none', () => {
  const admission = new Admission(100);
  const [first, second] = [admission.admit(10), admission.admit(20)];
  first.resize(80);
  expect(admission.heldBytes).toBe(100);
  expect(() => second.resize(21)).toThrow(
    expect.objectContaining({ params: { limit_bytes: 100, held_bytes: 100, wanted_bytes: 1 } }),
  );
  expect(admission.heldBytes).toBe(100);
  first.resize(79);
  second.resize(21);
});
