import type { UnreadableReason } from '@preflight/core';

/** Thrown by readers, and told as facts by `inspect`. */
export class Unreadable extends Error {
  constructor(readonly reason: Exclude<UnreadableReason, 'not_here'>) {
    super(reason);
  }
}

/** What breaks off or contradicts itself. */
export function damaged(): Unreadable {
  return new Unreadable('damaged');
}
