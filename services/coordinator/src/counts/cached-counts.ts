import { Turn } from '@preflight/runtime';
import { type CountCache, type CountEntry, type CountKey, isDigestKey } from '@preflight/storage';
import type { KeyedText } from '../texts/keyed-text.js';

/** Keys that go to the cache in one call: a few milliseconds. */
const CACHE_BATCH_KEYS = 2048;

/**
 * The counts of all texts, if the cache knows every one; reads none of them. Small texts are asked for first, since
 * only the memory of this process can know them.
 */
export async function allCached(
  cache: CountCache,
  texts: readonly KeyedText[],
): Promise<Int32Array | undefined> {
  const keys = texts.map(({ key }) => key);
  const counts = new Map<CountKey, number>();
  const inTurn = [...keys.filter((key) => !isDigestKey(key)), ...keys.filter(isDigestKey)];
  const turn = new Turn();
  for (const batch of batchesOf(inTurn)) {
    await turn.breathe();
    const cached = await cache.getMany(batch);
    for (const [i, key] of batch.entries()) {
      const count = cached[i];
      if (count === undefined) return undefined;
      counts.set(key, count);
    }
  }
  return Int32Array.from(keys, (key) => counts.get(key) as number);
}

/**
 * Remembers what was counted elsewhere: small texts, whose counts nobody shares. Those of large ones, whoever counted them
 * shares; but where nothing had to be counted, and was not known here, what is shared has been lost, and is shared again.
 */
export async function rememberOthers(
  cache: CountCache,
  texts: readonly KeyedText[],
  { counts, cache: { misses } }: { readonly counts: Int32Array; readonly cache: { readonly misses: number } },
): Promise<void> {
  const entries = texts.map(({ key }, i): CountEntry => [key, counts[i] as number]);
  const turn = new Turn();
  for (const batch of batchesOf(misses === 0 ? entries : entries.filter(([key]) => !isDigestKey(key)))) {
    await turn.breathe();
    await cache.setMany(batch);
  }
}

/** Items in groups that go to the cache in one call. */
export function* batchesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let i = 0; i < items.length; i += CACHE_BATCH_KEYS) yield items.slice(i, i + CACHE_BATCH_KEYS);
}
