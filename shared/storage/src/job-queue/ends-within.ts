/** Waits for a promise to settle, at most so long; false if it did not. */
export function endsWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, false);
    const end = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(end, end);
  });
}
