import { threadId } from 'node:worker_threads';
import type { KernelExports } from './kernel-exports.js';
import type { SharedKernel } from './shared-kernel.js';
import { claimSlot } from './thread-slots.js';
import { type WasmMemory, webAssembly } from './web-assembly.js';

const PAGE_BYTES = 65_536;
/** Zeros that must stand behind the end of a text. */
const END_BYTES = 16;

const encoder = new TextEncoder();

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
    if (isFinal) this.markEnd(lengthBytes);
  }

  /** Puts the start of a string behind the first bytes of the text area, as far as `capacityBytes` of it allow. */
  encode(text: string, heldBytes: number, capacityBytes: number): { read: number; written: number } {
    return encoder.encodeInto(text, this.view.subarray(this.text + heldBytes, this.text + capacityBytes));
  }

  /** Tells the kernel that the text ends after so many bytes of the text area. */
  markEnd(lengthBytes: number): void {
    const end = this.text + lengthBytes;
    this.view.fill(0, end, end + END_BYTES);
  }

  /** Moves bytes to the start of the text area; `start` is their address. */
  keep(start: number, lengthBytes: number): void {
    this.view.copyWithin(this.text, start, start + lengthBytes);
  }

  /** A copy of the first bytes of the text area, with `rest` behind them. */
  joined(lengthBytes: number, rest: string): Uint8Array {
    return Buffer.concat([this.view.subarray(this.text, this.text + lengthBytes), encoder.encode(rest)]);
  }
}

/** Other threads may grow the memory at the same time: it gets large enough, perhaps larger. */
function growTo(memory: WasmMemory, endBytes: number): void {
  const missing = Math.ceil((endBytes - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing > 0) memory.grow(missing);
}
