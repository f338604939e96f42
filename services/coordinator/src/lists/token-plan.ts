import { canonicalJson } from '@preflight/accounting';
import {
  type Countable,
  isText,
  type ListColumns,
  type ListedMessage,
  listColumns,
  type Steps,
} from '@preflight/core';
import { LEDGER_COLUMNS, type LedgerPlan } from '../ledger-plan.js';
import { withSharedStrings } from '../texts/shared-strings.js';
import { listLedger } from './list-ledger.js';

/** What an image counts, whatever it shows (langchain-trim.md, section 2). */
const IMAGE_TOKENS = 85;
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image_url', 'input_image']);

/** Countables that are listed in one step, much less than a millisecond. */
const STEP_COUNTABLES = 64;

/** All texts of a list, and where each count goes. */
export interface TokenPlan {
  readonly countables: readonly Countable[];
  readonly ledger: LedgerPlan;
  readonly columns: ListColumns;
  /** For each part, the countable that it is, or -1. */
  readonly partCountables: Int32Array;
  readonly partTokens: Int32Array;
}

/** Lists what a counter of tokens counts: contents, names, names and arguments of tool calls. Reads no text. */
export function* planTokens(messages: readonly ListedMessage[], perMessageTokens: number): Steps<TokenPlan> {
  const columns = yield* listColumns(messages);
  const countables: Countable[] = [];
  const places = { columns: [] as number[], messages: [] as number[] };
  const partCountables = new Int32Array(columns.partHasText.length).fill(-1);
  const partTokens = new Int32Array(columns.partHasText.length);
  const attachmentTokens = new Int32Array(messages.length);
  const add = (countable: Countable, column: 'contentTokens' | 'otherTokens', index: number) => {
    places.columns.push(LEDGER_COLUMNS.indexOf(column));
    places.messages.push(index);
    return countables.push(countable) - 1;
  };
  for (const [index, { parts, name, toolCalls = [] }] of messages.entries()) {
    if (index % STEP_COUNTABLES === 0) yield;
    for (const [i, { type, text }] of parts.entries()) {
      if (countables.length % STEP_COUNTABLES === 0) yield;
      const at = (columns.partStarts[index] as number) + i;
      if (columns.partHasText[at] === 1 && text !== undefined)
        partCountables[at] = add([text], 'contentTokens', index);
      else if (IMAGE_TYPES.has(type)) {
        partTokens[at] = IMAGE_TOKENS;
        attachmentTokens[index] = (attachmentTokens[index] as number) + IMAGE_TOKENS;
      }
    }
    if (name !== undefined) add([name], 'otherTokens', index);
    for (const call of toolCalls) {
      if (countables.length % STEP_COUNTABLES === 0) yield;
      add([call.name], 'otherTokens', index);
      const args = isText(call.args)
        ? [call.args]
        : yield* withSharedStrings(yield* canonicalJson(call.args));
      add(args as Countable, 'otherTokens', index);
    }
  }
  return {
    countables,
    columns,
    partCountables,
    partTokens,
    ledger: {
      columns: new Uint8Array(places.columns),
      messages: new Int32Array(places.messages),
      signs: new Int8Array(countables.length).fill(1),
      attachmentTokens,
      otherTokens: new Int32Array(messages.length).fill(perMessageTokens),
      ...listLedger(messages),
    },
  };
}
