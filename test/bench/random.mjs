import { createCipheriv, createHash } from 'node:crypto';

/** Numbers and bytes from a seed, the same on every machine. AES in counter mode: fast enough for megabytes. */
export class Random {
  #cipher;
  #pool = Buffer.alloc(0);
  #at = 0;

  /** @param {string | number} seed */
  constructor(seed) {
    const key = createHash('sha256').update(String(seed)).digest();
    this.#cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  }

  /** @param {number} count */
  bytes(count) {
    return this.#cipher.update(Buffer.alloc(count));
  }

  /** In [0, 1). */
  next() {
    if (this.#at + 4 > this.#pool.length) {
      this.#pool = this.bytes(65_536);
      this.#at = 0;
    }
    this.#at += 4;
    return this.#pool.readUInt32LE(this.#at - 4) / 4_294_967_296;
  }

  /** A whole number from 0 to `end` - 1.
   * @param {number} end
   */
  below(end) {
    return Math.floor(this.next() * end);
  }

  /** @template Item
   * @param {readonly Item[]} items
   * @returns {Item}
   */
  pick(items) {
    return items[this.below(items.length)];
  }

  /** A new list in another order.
   * @template Item
   * @param {readonly Item[]} items
   */
  shuffle(items) {
    const shuffled = [...items];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const other = this.below(i + 1);
      [shuffled[i], shuffled[other]] = [shuffled[other], shuffled[i]];
    }
    return shuffled;
  }
}
