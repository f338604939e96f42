import type { Ledger } from '../ledger.js';
import type { FitOptions } from './options.js';
import { DEFAULT_WINDOW } from './window-options.js';

/**
 * Thinking of earlier turns, where the provider leaves that out (formats.md §3): once the newest question is gone, the turn
 * before it is under way again, and what was thought there counts.
 */
export class IdleThinking {
  readonly #tokens: Readonly<Int32Array>;
  readonly #questions: Readonly<Uint8Array>;
  /** The newest question that is left, or -1. */
  #newestQuestion: number;

  constructor({ idleTokens = NO_TOKENS, questions = NO_QUESTIONS }: Ledger) {
    this.#tokens = idleTokens;
    this.#questions = questions;
    this.#newestQuestion = questions.lastIndexOf(1);
  }

  /** Calls back for each message that is left and counts more, now that others are dropped. Linear in all drops together. */
  wake(isDropped: (index: number) => boolean, onWoken: (index: number, tokens: number) => void): void {
    while (this.#newestQuestion !== -1 && isDropped(this.#newestQuestion)) {
      const end = this.#newestQuestion;
      this.#newestQuestion = end === 0 ? -1 : this.#questions.lastIndexOf(1, end - 1);
      for (let index = this.#newestQuestion + 1; index < end; index++)
        if ((this.#tokens[index] ?? 0) > 0 && !isDropped(index))
          onWoken(index, this.#tokens[index] as number);
    }
  }
}

const NO_TOKENS = new Int32Array();
const NO_QUESTIONS = new Uint8Array();

/** Whether a question may go and something before it stay, so that what was thought there has to be counted. */
export function mayWakeThinking({
  pins = [],
  window: { repairs, endOn = [] } = DEFAULT_WINDOW,
}: Pick<FitOptions, 'pins' | 'window'>): boolean {
  return pins.length > 0 || repairs || endOn.length > 0;
}
