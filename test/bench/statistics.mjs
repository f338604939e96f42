/** @param {readonly number[]} values not empty */
export function median(values) {
  return percentile(values, 50);
}

/** The value at or below which `percent` of the values lie (nearest rank).
 * @param {readonly number[]} values not empty
 * @param {number} percent
 */
export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/** Median, smallest and largest: what a table shows of repeated measurements.
 * @param {readonly number[]} values not empty
 */
export function summary(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), runs: values.length };
}

/** How the time grows with the size: 1 is linear, 2 quadratic.
 * @param {{ bytes: number, ms: number }} small
 * @param {{ bytes: number, ms: number }} large
 */
export function growthExponent(small, large) {
  return Math.log(large.ms / small.ms) / Math.log(large.bytes / small.bytes);
}
