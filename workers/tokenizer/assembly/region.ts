// This thread's region of the shared memory. Set once, before anything is counted.

/** First byte of the region. */
export let region: usize = 0;

export function setRegion(base: usize): void {
  region = base;
}
