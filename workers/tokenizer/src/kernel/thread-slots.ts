import type { WasmMemory } from './web-assembly.js';

/** Start of the memory, which the tables leave free: one flag for each thread region. */
const SLOT_COUNT = 256;

/**
 * Takes the lowest free region of a kernel's memory for this thread. Regions are never in two hands: memos hold
 * values that two threads would tear.
 */
export function claimSlot(memory: WasmMemory): number {
  const slots = new Int32Array(memory.buffer, 0, SLOT_COUNT);
  for (let slot = 0; slot < SLOT_COUNT; slot++)
    if (Atomics.compareExchange(slots, slot, 0, 1) === 0) return slot;
  throw new Error(`more than ${SLOT_COUNT} threads count with one kernel`);
}

/**
 * Gives a region back: by the thread before it ends, or by whoever ended it (who should have claimed it then, and
 * posted its number with the kernel). Regions are cleared when they
 * are taken.
 */
export function releaseSlot(memory: WasmMemory, slot: number): void {
  Atomics.store(new Int32Array(memory.buffer, 0, SLOT_COUNT), slot, 0);
}
