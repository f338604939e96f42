import type { UnreadableReason } from '@preflight/core';

/** Thrown by readers, and told as facts by `inspect`. */
export class Unreadable extends Error {
  constructor(readonly reason: Exclude<UnreadableReason, 'not_here'>) {
    super(reason);
  }
}

const DAMAGED = new Unreadable('damaged');

/** What breaks off or contradicts itself. One error for all: to make one takes longer than to read an object of a PDF. */
export function damaged(): Unreadable {
  return DAMAGED;
}

/** Whether bytes cannot be read where they stand, which those nearby may be; false of what ends all reading. */
export function isLocal(error: unknown): boolean {
  return error instanceof Unreadable && (error.reason === 'damaged' || error.reason === 'no_base64');
}
