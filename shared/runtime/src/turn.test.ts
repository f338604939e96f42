import type { Steps } from '@preflight/core';
import { describe, expect, test, vi } from 'vitest';
import { Turn } from './turn.js';

/** A loop that is always due, and the turns of the event loop that it saw. */
async function run(slices: number, turnNow: () => number): Promise<number[]> {
  const turn = new Turn(0);
  const seen: number[] = [];
  for (let i = 0; i < slices; i++) {
    await turn.breathe();
    seen.push(turnNow());
  }
  return seen;
}

/** Counts turns of the event loop until it is stopped. */
function countTurns(): { now: () => number; stop: () => void } {
  let turns = 0;
  let isOn = true;
  const next = () => {
    turns += 1;
    if (isOn) setImmediate(next);
  };
  setImmediate(next);
  const stop = () => {
    isOn = false;
  };
  return { now: () => turns, stop };
}

describe('Turn', () => {
  test('does not wait before its slice is used up', async () => {
    const turn = new Turn(60_000);
    let hasWaited = false;
    setImmediate(() => {
      hasWaited = true;
    });
    for (let i = 0; i < 1000; i++) await turn.breathe();
    expect(hasWaited).toBe(false);
  });

  test('lets other work in once it is', async () => {
    const turns = countTurns();
    const seen = await run(10, turns.now);
    turns.stop();
    expect(new Set(seen).size).toBe(10);
  });

  test('gives each turn of the event loop to one of many loops', async () => {
    const turns = countTurns();
    const seen = await Promise.all(Array.from({ length: 5 }, () => run(10, turns.now)));
    turns.stop();
    expect(new Set(seen.flat()).size).toBe(50);
  });

  test('drives steps to their result, and lets other work in between them', async () => {
    const turns = countTurns();
    const seen: number[] = [];
    const steps = (function* (): Steps<string> {
      for (let i = 0; i < 10; i++) {
        seen.push(turns.now());
        yield;
      }
      return 'end';
    })();
    expect(await new Turn(0).drive(steps)).toBe('end');
    turns.stop();
    expect(new Set(seen).size).toBe(10);
  });

  test('rejects with what a step throws', async () => {
    const steps = (function* (): Steps<void> {
      yield;
      throw new Error('a step');
    })();
    await expect(new Turn(0).drive(steps)).rejects.toThrow('a step');
  });

  test('visits every item in order, and gives others their turn between some of them', async () => {
    const turns = countTurns();
    const visited: [string, number, number][] = [];
    const items = Array.from({ length: 1_000 }, (_, i) => `item ${i}`);
    await new Turn(0).each(items.values(), (item, i) => visited.push([item, i, turns.now()]));
    turns.stop();
    expect(visited.map(([item, i]) => [item, i])).toEqual(items.map((item, i) => [item, i]));
    expect(new Set(visited.map(([, , turn]) => turn)).size).toBe(4);
  });

  test('begins a new slice after waiting', async () => {
    const sliceMs = 1000;
    const turn = new Turn(sliceMs);
    const clock = vi.spyOn(performance, 'now');
    clock.mockReturnValueOnce(performance.now() + 2 * sliceMs);
    await turn.breathe();
    clock.mockRestore();
    let hasWaited = false;
    setImmediate(() => {
      hasWaited = true;
    });
    await turn.breathe();
    expect(hasWaited).toBe(false);
  });
});
