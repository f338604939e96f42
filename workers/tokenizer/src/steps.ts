/**
 * Counters work in steps of at most 256 KiB, and ask between two of them whether to go on. What they ask is this
 * thread's alone, like all module state; a thread that counts for one caller at a time needs no more.
 */
let hook: () => void = () => undefined;

/** Calls `onStep` between any two steps of any counter of this thread; it may throw to give up. */
export function onEachStep(onStep: () => void): void {
  hook = onStep;
}

export function step(): void {
  hook();
}
