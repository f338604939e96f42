import { PreflightError } from '@preflight/core';

/**
 * Bounds the memory of requests at one time, received and worked on. Asked before memory is taken: refusing costs
 * less than working.
 */
export class Admission {
  #heldBytes = 0;

  constructor(readonly limitBytes: number) {}

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Takes a permit, to be given back with `release()`. Throws `overloaded` when the bytes do not fit now. */
  admit(bytes: number): Permit {
    let held = 0;
    let isReleased = false;
    const hold = (toBytes: number) => {
      this.#heldBytes += toBytes - held;
      held = toBytes;
    };
    const resize = (toBytes: number) => {
      if (isReleased) return;
      if (this.#heldBytes - held + toBytes > this.limitBytes) throw this.#overloaded(toBytes - held);
      hold(toBytes);
    };
    resize(bytes);
    return {
      resize,
      release() {
        isReleased = true;
        hold(0);
      },
    };
  }

  #overloaded(wantedBytes: number): PreflightError {
    return new PreflightError('overloaded', {
      publicDetail: `${this.#heldBytes} of ${this.limitBytes} bytes are taken by running requests; ${wantedBytes} more do not fit now.`,
      params: { limit_bytes: this.limitBytes, held_bytes: this.#heldBytes, wanted_bytes: wantedBytes },
    });
  }
}

export interface Permit {
  /** Holds so many bytes from now on. Throws `overloaded`, with all as before, when they do not fit. Without effect after `release()`. */
  resize(toBytes: number): void;
  /** Harmless when repeated. */
  release(): void;
}
