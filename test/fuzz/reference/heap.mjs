/** Gives out the least of the numbers that were put in. */
export class KeyHeap {
  /** @type {number[]} */
  #keys = [];

  get size() {
    return this.#keys.length;
  }

  /** @param {number} key */
  push(key) {
    const keys = this.#keys;
    let at = keys.length;
    keys.push(key);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent] <= key) break;
      keys[at] = keys[parent];
      at = parent;
    }
    keys[at] = key;
  }

  /** @returns {number} */
  pop() {
    const keys = this.#keys;
    const least = keys[0];
    const key = keys.pop();
    if (keys.length === 0) return least;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= keys.length) break;
      if (child + 1 < keys.length && keys[child + 1] < keys[child]) child++;
      if (keys[child] >= key) break;
      keys[at] = keys[child];
      at = child;
    }
    keys[at] = key;
    return least;
  }
}
