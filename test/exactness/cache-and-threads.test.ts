import { MemoryCountCache } from '@preflight/storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startParts } from '../harness/in-process.js';
import { NeverCache } from '../harness/never-cache.js';
import { runs } from '../harness/runs.js';
import { cases } from '../property/conversations.js';
import { Fitter, type Outcome } from '../property/fit-case.js';

const cached = new Fitter(startParts({ cache: new MemoryCountCache({}), threads: 2 }));
const uncached = new Fitter(startParts({ cache: new NeverCache(), threads: 2 }));
const oneThread = new Fitter(startParts({ cache: new NeverCache(), threads: 1 }));

function answerOf({ fitted, problem, count }: Outcome): unknown {
  const { timing, cache, id, ...fit } = fitted ?? { timing: 0, cache: 0, id: 0 };
  const { timing: _timing, cache: _cache, ...counted } = count;
  return { fit, problem, counted };
}

test('cold cache, warm cache and no cache give the same answer, and so do one thread and two', async () => {
  await fc.assert(
    fc.asyncProperty(cases(), async (one) => {
      const cold = await cached.fit(one);
      const warm = await cached.fit(one);
      expect(warm.count.cache.misses).toBe(0);
      expect(answerOf(warm)).toEqual(answerOf(cold));
      expect(answerOf(await uncached.fit(one))).toEqual(answerOf(cold));
      expect(answerOf(await oneThread.fit(one))).toEqual(answerOf(cold));
    }),
    runs(150),
  );
});
