import { readFileSync } from 'node:fs';

/** What `npm run build` made, seen from src and from dist alike. */
const MODULE = new URL('../dist/control-bytes.wasm', import.meta.url);

/** The part of WebAssembly that is used here: neither Node's types nor those of the language have it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { exports: unknown };
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Of so many bytes at the start of the memory. */
  hasControlByte(length: number): number;
}

const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(MODULE)));
const { memory, hasControlByte: hasControlAtStart } = exports as Exports;
const window = Buffer.from(memory.buffer);

/**
 * Whether a control character, which JSON forbids inside strings, is among the bytes: 20 GB/s, against 5 by words of four
 * bytes. They are copied to where they can be looked at 64 at a time, by `fill`, which is a memcpy out of shared memory too.
 */
export function hasControlByte(bytes: Uint8Array): boolean {
  for (let start = 0; start < bytes.length; start += window.length) {
    const part = bytes.subarray(start, start + window.length);
    window.fill(part, 0, part.length);
    if (hasControlAtStart(part.length) !== 0) return true;
  }
  return false;
}
