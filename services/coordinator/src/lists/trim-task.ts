import {
  type Ledger,
  type ListColumns,
  type ListCosts,
  startTrim,
  type Trim,
  type TrimDecision,
  type TrimOptions,
} from '@preflight/core';

/** A trim that is to be decided when the tokens are known. Numbers only, so that it travels. */
export interface TrimTask extends ListColumns {
  readonly options: TrimOptions;
  /** For each part, its position in the list of texts, or -1. */
  readonly partTexts: Int32Array;
  /** What a part counts that has no text. */
  readonly partTokens: Int32Array;
}

export interface TrimOutcome {
  readonly decision: TrimDecision;
  readonly trimMs: number;
}

/** Begins the trim, given the tokens of messages and texts. */
export function startTask(
  { options, partTexts, ...columns }: TrimTask,
  ledger: Ledger,
  counts: Int32Array,
): Trim {
  const { contentTokens, attachmentTokens, otherTokens } = ledger;
  const costs: ListCosts = {
    ...columns,
    tokens: contentTokens.map(
      (tokens, index) => tokens + (attachmentTokens[index] as number) + (otherTokens[index] as number),
    ),
    partUnits: partTexts.map((text) => (text < 0 ? 0 : (counts[text] as number))),
    fixedTokens: 0,
    unitsPerToken: 1,
    unitsBesideArray: otherTokens,
    unitsBesideText: otherTokens,
  };
  return startTrim(costs, options);
}
