import type { Metrics } from '@preflight/runtime';
import type { CountCache } from '@preflight/storage';

/** The same cache, whose answers are counted. */
export function measuredCountCache(cache: CountCache, metrics: Metrics): CountCache {
  return {
    async getMany(keys) {
      const counts = await cache.getMany(keys);
      const misses = counts.reduce<number>((sum, count) => (count === undefined ? sum + 1 : sum), 0);
      metrics.lookedUp({ hits: counts.length - misses, misses });
      return counts;
    },
    setMany: (entries) => cache.setMany(entries),
    close: () => cache.close(),
  };
}
