import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Keeps long loops from holding the event loop: `await turn.breathe()` between items gives other work its turn
 * whenever this turn has lasted `sliceMs`. Costs a clock reading each call, so call it every few hundred small items.
 */
export class Turn {
  #startMs = performance.now();

  constructor(readonly sliceMs = 5) {}

  get isOver(): boolean {
    return performance.now() - this.#startMs >= this.sliceMs;
  }

  async breathe(): Promise<void> {
    if (!this.isOver) return;
    await nextTurn();
    this.#startMs = performance.now();
  }
}
