/** Lower priorities first, equal ones in the order in which they came. Adding and taking take no longer when it is long. */
export class PriorityFifo<T> {
  readonly #lanes = new Map<number, Set<T>>();
  /** Priorities that have a lane, in order. There are few of them. */
  #order: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: T, priority: number): void {
    let lane = this.#lanes.get(priority);
    if (!lane) {
      lane = new Set();
      this.#lanes.set(priority, lane);
      this.#order = [...this.#lanes.keys()].sort((a, b) => a - b);
    }
    lane.add(item);
    this.#size += 1;
  }

  /** Takes the next one out. */
  take(): T | undefined {
    const priority = this.#order[0];
    if (priority === undefined) return undefined;
    const item = this.#lanes.get(priority)?.values().next().value as T;
    this.remove(item, priority);
    return item;
  }

  remove(item: T, priority: number): boolean {
    const lane = this.#lanes.get(priority);
    if (!lane?.delete(item)) return false;
    this.#size -= 1;
    if (lane.size === 0) {
      this.#lanes.delete(priority);
      this.#order = this.#order.filter((other) => other !== priority);
    }
    return true;
  }
}
