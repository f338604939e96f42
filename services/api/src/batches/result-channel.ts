/** Takes results from several lines and gives them to one reader, who says by asking when there is room for more. */
export class ResultChannel {
  #records: Uint8Array[] = [];
  #wakeReader: (() => void) | undefined;
  #wakeWriters: (() => void)[] = [];
  #end: { readonly error?: unknown } | undefined;

  /** Resolves when the reader has taken it, so that nobody goes faster than that reads. */
  put(record: Uint8Array): Promise<void> {
    this.#records.push(record);
    this.#wakeReader?.();
    return new Promise((resolve) => this.#wakeWriters.push(resolve));
  }

  /** After all records, or in their place if there is an error. */
  end(error?: unknown): void {
    this.#end = error === undefined ? {} : { error };
    this.#wakeReader?.();
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const records = this.#records;
      const writers = this.#wakeWriters;
      this.#records = [];
      this.#wakeWriters = [];
      yield* records;
      for (const wake of writers) wake();
      if (this.#records.length > 0) continue;
      if (this.#end) {
        if ('error' in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }
}
