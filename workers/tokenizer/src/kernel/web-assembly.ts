/** The part of WebAssembly that the kernel uses: neither Node's types nor those of the language have it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { env: { memory: WasmMemory } },
  ) => { exports: unknown };
  readonly Memory: new (descriptor: { initial: number; maximum: number; shared: true }) => WasmMemory;
}

/** A compiled module; can be posted to threads. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

export interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
  /** By pages of 64 KiB. */
  grow(pageCount: number): number;
}

export interface WasmGlobal {
  readonly value: number;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
