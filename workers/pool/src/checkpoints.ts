/**
 * Counts of a long text up to safe splits, so that a cut has to encode one stretch of it only. Ascending; the last
 * one is the whole text.
 */
export type Checkpoints = readonly Checkpoint[];

export interface Checkpoint {
  readonly endBytes: number;
  /** Tokens of the text up to there. */
  readonly tokens: number;
}

/** The last checkpoint below `tokens`, from which on the text has to be read to find its first `tokens` tokens. */
export function checkpointBelow(checkpoints: Checkpoints, tokens: number): Checkpoint {
  return checkpoints.findLast((checkpoint) => checkpoint.tokens < tokens) ?? START;
}

const START: Checkpoint = { endBytes: 0, tokens: 0 };
