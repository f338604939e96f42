import { PreflightError, type WrittenText, writePieceSteps } from '@preflight/core';
import { type Packed, WRITINGS } from './messages.js';

/** Reads packed countables in a thread. Bytes are views as long as nothing has to be joined or rewritten. */
export class Unpacked {
  readonly #sources: Uint8Array[];

  /** `onStep` is called between steps of rewriting; it may throw to give up. */
  constructor(
    readonly packed: Packed,
    readonly onStep: () => void = () => undefined,
  ) {
    this.#sources = packed.sources.map((source) => new Uint8Array(source));
  }

  get length(): number {
    return this.packed.ends.length;
  }

  /** The bytes of countable `i`, as they are counted. Throws `invalid_base64`. */
  bytes(i: number): { bytes: Uint8Array; isPlain: boolean } {
    const parts: Uint8Array[] = [];
    let isPlain = true;
    for (let p = this.packed.ends[i - 1] ?? 0; p < (this.packed.ends[i] as number); p++) {
      const [source, start, end, writing] = this.packed.pieces.subarray(4 * p, 4 * p + 4) as unknown as Quad;
      const raw = (this.#sources[source] as Uint8Array).subarray(start, end);
      const as = WRITINGS[writing];
      const written = as === undefined ? raw : this.#written(as, raw);
      if (written === undefined) throw new PreflightError('invalid_base64', { params: { item: i } });
      if (written !== raw) isPlain = false;
      parts.push(written);
    }
    return { bytes: parts.length === 1 ? (parts[0] as Uint8Array) : join(parts), isPlain };
  }

  #written(as: WrittenText['as'], raw: Uint8Array): Uint8Array | undefined {
    const steps = writePieceSteps({ as }, raw);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      this.onStep();
    }
  }
}

type Quad = [source: number, start: number, end: number, writing: number];

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
