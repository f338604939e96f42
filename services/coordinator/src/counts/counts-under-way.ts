import type { CountKey } from '@preflight/storage';

interface Claim {
  readonly count: Promise<number | undefined>;
  settle(count: number | undefined): void;
}

/**
 * Who is finding which count right now, so that nobody else does it too:
 *
 *   free --claim()--> claimed --found()--> known --release()--> free (the count is in the cache)
 *                        '------release()--------------------> free (those who wait are told: undefined)
 */
export class CountsUnderWay {
  readonly #claims = new Map<CountKey, Claim>();

  /**
   * Undefined when the key is the caller's now, who must release it in the end. Else what its claimer is going to
   * find, or undefined if that comes to nothing.
   */
  claim(key: CountKey): Promise<number | undefined> | undefined {
    const claimed = this.#claims.get(key);
    if (claimed !== undefined) return claimed.count;
    let settle: Claim['settle'] = () => undefined;
    const count = new Promise<number | undefined>((resolve) => {
      settle = resolve;
    });
    this.#claims.set(key, { count, settle });
    return undefined;
  }

  found(key: CountKey, count: number): void {
    this.#claims.get(key)?.settle(count);
  }

  release(key: CountKey): void {
    this.#claims.get(key)?.settle(undefined);
    this.#claims.delete(key);
  }
}
