/** What happened to a message and why; the reason is null for what was kept. */
export interface Change {
  readonly action: 'kept' | 'cut' | 'dropped' | 'elided';
  /** A word of the strategy that made the change. */
  readonly reason: string | null;
}

export const KEPT: Change = { action: 'kept', reason: null };
