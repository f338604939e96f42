import type { WasmMemory } from './web-assembly.js';

/** Start of the memory, which the tables leave free: for each thread region its owner, or 0. */
const SLOT_COUNT = 256;

/**
 * Takes the lowest free region of a kernel's memory for a thread. Regions are never in two hands: memos hold values
 * that two threads would tear. Regions are cleared when they are taken.
 */
export function claimSlot(memory: WasmMemory, threadId: number): number {
  const slots = new Int32Array(memory.buffer, 0, SLOT_COUNT);
  for (let slot = 0; slot < SLOT_COUNT; slot++)
    if (Atomics.compareExchange(slots, slot, 0, ownerOf(threadId)) === 0) return slot;
  throw new Error(`more than ${SLOT_COUNT} threads count with one kernel`);
}

/** Gives back what a thread had, by whoever saw it end: a thread that is terminated cannot do it itself. */
export function releaseSlots(memory: WasmMemory, threadId: number): void {
  const slots = new Int32Array(memory.buffer, 0, SLOT_COUNT);
  for (let slot = 0; slot < SLOT_COUNT; slot++) Atomics.compareExchange(slots, slot, ownerOf(threadId), 0);
}

/** The main thread has number 0, which stands for nobody here. */
function ownerOf(threadId: number): number {
  return threadId + 1;
}
