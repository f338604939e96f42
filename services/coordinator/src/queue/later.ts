/** A call that is made after a while, unless it is cancelled before; then its result stays pending. */
export class Later<Result> {
  readonly result: Promise<Result>;
  readonly #timer: NodeJS.Timeout;

  constructor(afterMs: number, call: () => Promise<Result>) {
    let make: () => void = () => {};
    this.result = new Promise<Result>((resolve) => {
      make = () => resolve(call());
    });
    this.#timer = setTimeout(make, afterMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
