import { PreflightError } from '@preflight/core';

/**
 * Bounds the bytes of request bodies held at one time, received and waiting. Asked before a body is read: refusing
 * costs less than working.
 */
export class Admission {
  #heldBytes = 0;

  constructor(readonly limitBytes: number) {}

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Takes a permit, to be given back with `release()`. Throws `overloaded` when the bytes do not fit now. */
  admit(bytes: number): Permit {
    if (this.#heldBytes + bytes > this.limitBytes)
      throw new PreflightError('overloaded', {
        publicDetail: `${this.#heldBytes} of ${this.limitBytes} bytes are taken by running requests; ${bytes} more do not fit now.`,
        params: { limit_bytes: this.limitBytes, held_bytes: this.#heldBytes, wanted_bytes: bytes },
      });
    this.#heldBytes += bytes;
    let held = bytes;
    const shrink = (toBytes: number) => {
      const kept = Math.min(held, toBytes);
      this.#heldBytes -= held - kept;
      held = kept;
    };
    return { shrink, release: () => shrink(0) };
  }
}

export interface Permit {
  /** Gives back what is not needed, once the true size is known. */
  shrink(toBytes: number): void;
  /** Harmless when repeated. */
  release(): void;
}
