export interface LastingAnswersOptions {
  readonly lastMs: number;
  readonly maxKeys: number;
}

/** Answers that hold for a while; of several who ask at the same time one finds out. The first kept is the first forgotten. */
export class LastingAnswers<Key, Answer> {
  readonly #options: LastingAnswersOptions;
  readonly #answers = new Map<Key, { readonly answer: Promise<Answer>; readonly untilMs: number }>();

  constructor(options: LastingAnswersOptions) {
    this.#options = options;
  }

  get(key: Key, find: () => Promise<Answer>): Promise<Answer> {
    const nowMs = performance.now();
    const known = this.#answers.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.answer;
    const answer = find();
    this.#answers.delete(key);
    this.#answers.set(key, { answer, untilMs: nowMs + this.#options.lastMs });
    if (this.#answers.size > this.#options.maxKeys)
      this.#answers.delete(this.#answers.keys().next().value as Key);
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  forget(key: Key): void {
    this.#answers.delete(key);
  }

  forgetAll(): void {
    this.#answers.clear();
  }
}
