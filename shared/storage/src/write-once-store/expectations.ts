import type { Expected } from './write-once-store.js';

/** Those of this process who expect values, by name. */
export class Expectations {
  readonly #listeners = new Map<string, Set<(bytes: Buffer | undefined) => void>>();

  add(name: string): Expected {
    const { promise, resolve } = settledLater();
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(resolve));
    const forget = () => {
      listeners.delete(resolve);
      if (listeners.size === 0 && this.#listeners.get(name) === listeners) this.#listeners.delete(name);
    };
    return { arrival: promise, forget };
  }

  tell(name: string, bytes: Buffer | undefined): void {
    for (const resolve of this.#listeners.get(name) ?? []) resolve(bytes);
  }
}

function settledLater(): {
  promise: Promise<Buffer | undefined>;
  resolve: (bytes: Buffer | undefined) => void;
} {
  let resolve: (bytes: Buffer | undefined) => void = () => {};
  const promise = new Promise<Buffer | undefined>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
