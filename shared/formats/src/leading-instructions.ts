import type { Message } from '@preflight/core';

/** System and developer messages at the front are never touched (design.md §7). */
export function countLeadingInstructions(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return first === -1 ? messages.length : first;
}
