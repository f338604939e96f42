/** Remembers which keys were seen, at most `limit` of them: the one seen longest ago is forgotten first. */
export class OncePerKey {
  readonly #seen = new Set<string>();

  constructor(readonly limit: number) {}

  /** True the first time a key comes, and again only after it was forgotten. */
  isFirst(key: string): boolean {
    const known = this.#seen.delete(key);
    this.#seen.add(key);
    if (this.#seen.size > this.limit) this.#seen.delete(this.#seen.values().next().value as string);
    return !known;
  }
}
