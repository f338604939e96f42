/**
 * Work in steps of a millisecond or so, and its result. Whoever drives it decides what happens between two steps: a
 * service lets others have their turn (`Turn.drive`), a thread or a test goes on at once (`finish`).
 */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all steps, one after the other. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
