import { threadId } from 'node:worker_threads';
import type { KernelExports } from './kernel-exports.js';
import type { SharedKernel } from './shared-kernel.js';
import { claimSlot } from './thread-slots.js';
import { type WasmMemory, webAssembly } from './web-assembly.js';

const PAGE_BYTES = 65_536;
/** Zeros that must stand behind the end of a text. */
const END_BYTES = 16;

/** This thread's instance of a kernel: a region of the memory, and a text area in it. */
export class KernelThread {
  readonly exports: KernelExports;
  /** Address of the text area. */
  readonly text: number;
  private readonly view: Uint8Array;

  constructor({ module, memory }: SharedKernel) {
    this.exports = new webAssembly.Instance(module, { env: { memory } }).exports as KernelExports;
    const slot = claimSlot(memory, threadId);
    growTo(memory, this.exports.regionEnd(slot));
    this.text = this.exports.attach(slot);
    this.view = new Uint8Array(memory.buffer);
  }

  /** Copies bytes to the text area; `isFinal` if the text ends with them. */
  show(bytes: Uint8Array, start: number, lengthBytes: number, isFinal: boolean): void {
    this.view.set(bytes.subarray(start, start + lengthBytes), this.text);
    const end = this.text + lengthBytes;
    if (isFinal) this.view.fill(0, end, end + END_BYTES);
  }
}

/** Other threads may grow the memory at the same time: it gets large enough, perhaps larger. */
function growTo(memory: WasmMemory, endBytes: number): void {
  const missing = Math.ceil((endBytes - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing > 0) memory.grow(missing);
}
