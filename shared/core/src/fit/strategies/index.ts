import { dropTurns } from './drop-turns.js';
import { elideAttachments } from './elide-attachments.js';
import { elideRepeatedAttachments } from './elide-repeated-attachments.js';
import { elideToolResults } from './elide-tool-results.js';
import { trim } from './trim.js';
import { truncate } from './truncate.js';

export type { Flag, Refusal, Strategy } from './strategy.js';

/** Every strategy there is; the first is the one of requests that name none. */
const ALL = [
  truncate,
  dropTurns,
  trim,
  elideToolResults,
  elideAttachments,
  elideRepeatedAttachments,
] as const;

export type KnownStrategy = (typeof ALL)[number];

/** What to do with a history over its budget. */
export type FitStrategy = KnownStrategy['name'];

/** Outcomes of conversations that a strategy made fit. */
export type StrategyOutcome = KnownStrategy['outcome'];

/** Why a strategy could not take more from a message. */
export type StrategyReason = KnownStrategy['unshrinkableReason'];

/** Codes of the catalog under which a strategy gives up. */
export type RefusalCode = CodeOf<KnownStrategy['refusals']>;

type CodeOf<Refusals> =
  Refusals extends Readonly<Record<string, { readonly code: infer Code }>> ? Code : never;

export const STRATEGIES = Object.fromEntries(ALL.map((strategy) => [strategy.name, strategy])) as {
  readonly [Known in KnownStrategy as Known['name']]: Known;
};

export const DEFAULT_STRATEGY: FitStrategy = ALL[0].name;

/** What requests may ask to be done about attachments, and the strategy that then goes before those that they name. */
export const ATTACHMENT_POLICIES = {
  keep: undefined,
  elide_repeated: elideRepeatedAttachments.name,
  elide_oldest: elideAttachments.name,
} as const;
