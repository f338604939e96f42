import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '@preflight/core';

/** Items that are visited between two looks at the clock. */
const VISITED_ITEMS = 256;

/** Where loops that have used up their slice wait. */
let line: Promise<void> = Promise.resolve();

/**
 * Keeps long loops from holding the event loop: `await turn.breathe()` between items gives other work its turn
 * whenever this loop has run for `sliceMs`. Costs a clock reading each call, so call it every few hundred small items.
 * Loops wait in one line, so that a turn of the event loop holds one slice, however many requests are under way.
 */
export class Turn {
  #startMs = performance.now();

  constructor(readonly sliceMs = 5) {}

  /** Does work that comes in steps, and breathes between them. */
  async drive<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (this.#isOver()) await this.breathe();
    }
  }

  /** Visits items one after the other, and breathes every 256: for what takes some microseconds each. */
  async each<Item>(items: Iterable<Item>, visit: (item: Item, position: number) => void): Promise<void> {
    let position = 0;
    for (const item of items) {
      if (position % VISITED_ITEMS === 0) await this.breathe();
      visit(item, position++);
    }
  }

  async breathe(): Promise<void> {
    if (!this.#isOver()) return;
    line = line.then(() => nextTurn());
    await line;
    this.#startMs = performance.now();
  }

  #isOver(): boolean {
    return performance.now() - this.#startMs >= this.sliceMs;
  }
}
