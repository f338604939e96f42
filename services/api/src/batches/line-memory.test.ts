import { describe, expect, test } from 'vitest';
import { BatchMemory, LineMemory } from './line-memory.js';

describe('LineMemory', () => {
  test('hands out what was given back, whole or the end of it, and joins what touches', () => {
    const memory = new LineMemory(100);
    const [a, b, c] = [memory.take(40), memory.take(30), memory.take(30)];
    memory.giveBack(b.subarray(10));
    expect(memory.take(20).byteOffset).toBe(50);
    memory.giveBack(a);
    memory.giveBack(c);
    memory.giveBack(b);
    expect(memory.take(100)).toMatchObject({ buffer: a.buffer, byteOffset: 0 });
  });

  test('what finds no place is elsewhere, and forgotten when it is given back', () => {
    const memory = new LineMemory(100);
    const inside = memory.take(60);
    const outside = memory.take(60);
    expect([outside.buffer === inside.buffer, outside.length]).toEqual([false, 60]);
    memory.giveBack(outside);
    expect(memory.take(41).buffer).not.toBe(inside.buffer);
    expect(memory.take(40).buffer).toBe(inside.buffer);
    expect(memory.take(0).length).toBe(0);
  });

  test('no two that are taken share a byte, in any order (seed 1)', () => {
    let state = 1;
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    const memory = new LineMemory(1_000);
    const taken: { bytes: ReturnType<LineMemory['take']>; mark: number }[] = [];
    for (let round = 0; round < 5_000; round++) {
      if (random(2) === 0 && taken.length < 30) {
        const mark = round % 251;
        taken.push({ bytes: memory.take(random(120)).fill(mark), mark });
      } else if (taken.length > 0) {
        const [{ bytes, mark }] = taken.splice(random(taken.length), 1) as [(typeof taken)[number]];
        expect(bytes.every((byte) => byte === mark)).toBe(true);
        memory.giveBack(bytes);
      }
    }
    for (const { bytes } of taken) memory.giveBack(bytes);
    const whole = memory.take(1_000);
    memory.giveBack(whole);
    expect(memory.take(1_000).buffer).toBe(whole.buffer);
  });
});

test('a batch gets the memory of one before, if that got all of it back', () => {
  const batches = new BatchMemory();
  const first = batches.take();
  const line = first.take(10);
  first.giveBack(line);
  batches.giveBack(first);
  const second = batches.take();
  expect(second).toBe(first);
  second.take(10);
  batches.giveBack(second);
  expect(batches.take()).not.toBe(first);
});
