import type { ListColumns } from './list-columns.js';

/**
 * What messages and their parts cost a counter that adds up: `tokens` of a message, and what a shortened copy of it
 * would have. A counter measures in units of its own, of which some make one token:
 *
 *   copy = fixedTokens + tokens of its parts + ceil((units beside the content + units of its parts or text) / unitsPerToken)
 *
 * Columns, one entry a message or a part.
 */
export interface ListCosts extends ListColumns {
  readonly tokens: Int32Array;
  readonly partTokens: Int32Array;
  readonly partUnits: Int32Array;
  readonly fixedTokens: number;
  readonly unitsPerToken: number;
  /** What stands beside array content; and beside a text, which may be more. */
  readonly unitsBesideArray: Int32Array;
  readonly unitsBesideText: Int32Array;
}

/** Tokens of a copy of message `index` with its parts `from` to `to` only, the latter not included. */
export function tokensWithParts(costs: ListCosts, index: number, from: number, to: number): number {
  let tokens = costs.fixedTokens;
  let units = costs.unitsBesideArray[index] as number;
  const start = costs.partStarts[index] as number;
  for (let part = start + from; part < start + to; part++) {
    tokens += costs.partTokens[part] as number;
    units += costs.partUnits[part] as number;
  }
  return tokens + Math.ceil(units / costs.unitsPerToken);
}

/** Tokens of a copy of message `index` whose content is a text of so many units. */
export function tokensWithText(costs: ListCosts, index: number, textUnits: number): number {
  const units = (costs.unitsBesideText[index] as number) + textUnits;
  return costs.fixedTokens + Math.ceil(units / costs.unitsPerToken);
}

/** Most units that the text of such a copy may have, to stay within so many tokens; below 0 if even none is too much. */
export function textUnitsWithin(costs: ListCosts, index: number, roomTokens: number): number {
  return (roomTokens - costs.fixedTokens) * costs.unitsPerToken - (costs.unitsBesideText[index] as number);
}
