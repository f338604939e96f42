import type { Json } from '@preflight/core';

/** The user is asked whether a call is to be made, or has answered. */
export interface Approval {
  readonly approvalId: Json | undefined;
  readonly callId?: Json | undefined;
}

/**
 * Ids of the calls and results of a conversation, as they come. Where a provider needs no id, it is made up by position:
 * a result without one answers the last call without one, of the same name, that is still open. Texts so long that
 * they were kept as bytes are taken for no ids; providers refuse them.
 */
export class CallIds {
  /** By name, the made-up ids of open calls. */
  readonly #open = new Map<string, string[]>();
  #count = 0;
  /** Calls that are nobody's to answer. */
  readonly #aside = new Set<Json>();
  /** By the id of the question, the call that is asked about. */
  readonly #toApprove = new Map<string, string>();

  /** The id of a call: `id`, if that is one. */
  ofCall(id: Json | undefined, name?: Json): string {
    if (isId(id)) return id;
    const made = this.#makeUp();
    const open = this.#open.get(nameOf(name));
    if (open === undefined) this.#open.set(nameOf(name), [made]);
    else open.push(made);
    return made;
  }

  /** From now on, what has this id is a call that the provider answers itself, perhaps later, and its result. */
  setAside(id: Json | undefined): void {
    if (isId(id)) this.#aside.add(id);
  }

  isAside(id: Json | undefined): boolean {
    return isId(id) && this.#aside.has(id);
  }

  askApproval({ approvalId, callId }: Approval): void {
    if (isId(approvalId) && isId(callId)) this.#toApprove.set(approvalId, callId);
  }

  /** The id of the call that was to be approved; one that no call has, if there is none. */
  ofApproval(approvalId: Json | undefined): string {
    return (isId(approvalId) && this.#toApprove.get(approvalId)) || this.#makeUp();
  }

  /** The id of the call that a result answers; one that no call has, if there is none. */
  ofResult(id: Json | undefined, name?: Json): string {
    return isId(id) ? id : (this.#open.get(nameOf(name))?.pop() ?? this.#makeUp());
  }

  /** Not to be taken for an id that was given. */
  #makeUp(): string {
    this.#count += 1;
    return `\0${this.#count}`;
  }
}

function isId(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function nameOf(name: Json | undefined): string {
  return typeof name === 'string' ? name : '';
}
