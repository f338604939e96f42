export interface CircuitBreakerOptions {
  /** So many failures in a row open it. Default 3. */
  readonly maxFailures?: number;
  /** For how long it stays open at first; doubles with each failure after that. Default 500 ms. */
  readonly firstPauseMs?: number;
  /** Default 10 s. */
  readonly maxPauseMs?: number;
  readonly now?: () => number;
}

/**
 * Keeps calls from a neighbour that does not answer, so that each of them does not have to find that out.
 *
 *   closed --3 failures in a row--> open --pause over--> trying --success--> closed
 *                                     ^                    | (one call goes through, the others are skipped)
 *                                     +------failure-------+ the pause is doubled
 */
export class CircuitBreaker {
  readonly #maxFailures: number;
  readonly #firstPauseMs: number;
  readonly #maxPauseMs: number;
  readonly #now: () => number;
  #failures = 0;
  #openUntilMs = 0;
  #skippedCallCount = 0;

  constructor(options: CircuitBreakerOptions = {}) {
    this.#maxFailures = options.maxFailures ?? 3;
    this.#firstPauseMs = options.firstPauseMs ?? 500;
    this.#maxPauseMs = options.maxPauseMs ?? 10_000;
    this.#now = options.now ?? Date.now;
  }

  get skippedCallCount(): number {
    return this.#skippedCallCount;
  }

  /** Runs the call and throws its failure, or skips it and does nothing. */
  async run(call: () => Promise<void>): Promise<void> {
    if (this.#failures >= this.#maxFailures) {
      if (this.#now() < this.#openUntilMs) {
        this.#skippedCallCount += 1;
        return;
      }
      // This call tries; the others are skipped until it is known how that went.
      this.#pause();
    }
    try {
      await call();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures >= this.#maxFailures) this.#pause();
      throw error;
    }
  }

  #pause(): void {
    const doublings = this.#failures - this.#maxFailures;
    this.#openUntilMs = this.#now() + Math.min(this.#firstPauseMs * 2 ** doublings, this.#maxPauseMs);
  }
}
