import type { Parameters } from 'fast-check';

/** TEST_RUNS multiplies the number of runs, TEST_SEED draws others. A failure prints seed and path. */
export function runs<Values>(numRuns: number): Parameters<Values> {
  const seed = Number(process.env.TEST_SEED ?? 20_261_130);
  return { numRuns: Math.ceil(numRuns * Number(process.env.TEST_RUNS ?? 1)), seed, verbose: false };
}
