/** Numbers that a seed determines (sfc32, Doty-Humphrey). Fast to begin, since every case begins its own. */
export class Random {
  #a;
  #b;
  #c;
  #counter = 1;

  /**
   * @param {number} seed of the run
   * @param {number} index of the case
   * @param {number} purpose sets apart what a case needs numbers for
   */
  constructor(seed, index = 0, purpose = 0) {
    this.#a = seed | 0;
    this.#b = index | 0;
    this.#c = purpose | 0;
    for (let i = 0; i < 12; i++) this.#next();
  }

  #next() {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A whole number from 0 to `limit` - 1. @param {number} limit */
  below(limit) {
    return Math.floor((this.#next() / 4_294_967_296) * limit);
  }

  /** A whole number, both ends included. @param {number} least @param {number} most */
  between(least, most) {
    return least + this.below(most - least + 1);
  }

  /** Whether something happens that happens in one of so many cases. @param {number} cases */
  oneIn(cases) {
    return this.below(cases) === 0;
  }

  /**
   * @template Item
   * @param {ArrayLike<Item>} items
   * @returns {Item}
   */
  pick(items) {
    return items[this.below(items.length)];
  }

  /** What so many calls make, joined. @param {number} times @param {() => string} make */
  repeat(times, make) {
    let text = '';
    for (let i = 0; i < times; i++) text += make();
    return text;
  }
}
