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
    this.#take(bytes);
    let held = bytes;
    return {
      resize: (newBytes) => {
        this.#take(newBytes - held);
        held = newBytes;
      },
      release: () => {
        this.#heldBytes -= held;
        held = 0;
      },
    };
  }

  #take(bytes: number): void {
    if (bytes > 0 && this.#heldBytes + bytes > this.limitBytes)
      throw new PreflightError('overloaded', {
        publicDetail: `${this.#heldBytes} of ${this.limitBytes} bytes are taken by running requests; ${bytes} more do not fit now.`,
        params: { limit_bytes: this.limitBytes, held_bytes: this.#heldBytes, wanted_bytes: bytes },
      });
    this.#heldBytes += bytes;
  }
}

export interface Permit {
  /** Corrects a guess, once the true size is known. */
  resize(bytes: number): void;
  /** Harmless when repeated. */
  release(): void;
}
