import { fork } from 'node:child_process';
import { join } from 'node:path';
import { byteLength } from './corpora/index.mjs';
import { growthExponent } from './statistics.mjs';

/** @typedef {{ tokens: number, ms: number, bytes: number }} Measurement */

/** Counts in a fresh process. What takes longer than told is killed, and the contender is over for good. */
export class ContenderProcess {
  /** @type {Measurement[]} */
  #measured = [];
  #child;

  /** @param {string} name a contender
   * @param {string} encoding
   */
  static async start(name, encoding) {
    const contender = new ContenderProcess(name, encoding);
    const loaded = await contender.#answer(60_000);
    if (loaded === undefined) throw new Error(`${name} could not load ${encoding}`);
    return contender;
  }

  /** Use `start`. */
  constructor(name, encoding) {
    this.name = name;
    const file = join(import.meta.dirname, 'processes/contender.mjs');
    this.#child = fork(file, [name, encoding], { serialization: 'advanced' });
  }

  /**
   * The sum over the texts; undefined if it took longer than `timeoutMs` or the contender failed.
   * @param {string[]} texts
   * @returns {Promise<Measurement | undefined>}
   */
  async count(texts, { timeoutMs = 60_000, asBytes = false } = {}) {
    if (!this.#child.connected) return undefined;
    this.#child.send({ texts, asBytes });
    const answer = await this.#answer(timeoutMs);
    if (answer === undefined) return undefined;
    const measurement = { ...answer, bytes: byteLength(texts) };
    this.#measured.push(measurement);
    return measurement;
  }

  /** How long so many bytes would take, by the last two sizes measured. */
  predictedMs(bytes) {
    const [small, large] = this.#measured.slice(-2);
    if (!small) return 0;
    if (!large) return (small.ms / small.bytes) * bytes;
    const exponent = large.bytes > small.bytes ? growthExponent(small, large) : 1;
    return large.ms * (bytes / large.bytes) ** Math.min(2, Math.max(1, exponent));
  }

  stop() {
    this.#child.kill('SIGKILL');
  }

  /** @returns {Promise<any>} */
  #answer(timeoutMs) {
    const child = this.#child;
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      const settle = (answer) => {
        clearTimeout(timer);
        child.off('message', settle).off('exit', onExit);
        resolve(answer);
      };
      const onExit = () => settle(undefined);
      child.once('message', settle).once('exit', onExit);
    });
  }
}
