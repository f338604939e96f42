import { PreflightError } from '@preflight/core';

/** Why a request is over in most cases; one for all, since to make an error takes longer than all else here. */
export const ANSWERED = new PreflightError('request_cancelled', { internalDetail: 'it was answered' });

/**
 * Tells that a request is over: answered, or its caller gone, whichever way. Each request has half a dozen who want to
 * know, so this is lighter than an AbortSignal, of which it makes one for those who need it.
 */
export class Over {
  readonly #callbacks: (() => void)[] = [];
  #reason: PreflightError | undefined;
  #controller: AbortController | undefined;

  /** Undefined until it is over. */
  get reason(): PreflightError | undefined {
    return this.#reason;
  }

  /** Aborted when it is over, `ANSWERED` or not. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Calls back once: when it is over, or now if it is. */
  when(callback: () => void): void {
    if (this.#reason) callback();
    else this.#callbacks.push(callback);
  }

  /** The first reason stands. */
  end(reason: PreflightError): void {
    if (this.#reason) return;
    this.#reason = reason;
    for (const callback of this.#callbacks) callback();
    this.#controller?.abort(reason);
  }
}
