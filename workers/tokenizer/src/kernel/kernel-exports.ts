import type { WasmGlobal } from './web-assembly.js';

/** What assembly/entry.ts exports. Places are addresses in the memory. */
export interface KernelExports {
  /** End of the region with this number; the memory must reach so far before `attach`. */
  regionEnd(slot: number): number;
  /** Takes a region; returns the address of its text area. */
  attach(slot: number): number;

  /** Counts whole pieces from `start` on; returns where it stopped. */
  step(start: number, end: number, isFinal: number, limitTokens: number): number;
  readonly tokens: WasmGlobal;
  /** End of the piece that would have exceeded the limit, 0 if none did. */
  readonly exceedingEnd: WasmGlobal;

  /** Goes on with the undecided scan of a piece: its end, or 0 if more text is needed. */
  continueScan(end: number, isFinal: number): number;
  readonly scanAt: WasmGlobal;
  moveScan(distanceBytes: number): void;

  /** Encodes one piece; `wantedTokens` is the token whose end is asked for. */
  beginRun(start: number, wantedTokens: number): void;
  encodeRun(end: number): void;
  settle(): void;
  endOfWanted(): number;
  moveStack(distanceBytes: number): void;
  stackedEnd(index: number): number;
  readonly settledTokens: WasmGlobal;
  readonly stackedTokens: WasmGlobal;
}
