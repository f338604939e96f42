import {
  historyBudgetTokens,
  inputCapTokens,
  isShared,
  leastOutputTokens,
  outputAfterCompression,
  outputBesideHistory,
} from './budget.js';
import type { Elidable } from './elidable.js';
import type { FitOptions } from './options.js';
import type { Figures, Hint, HintCode, Unshrinkable, UnshrinkableReason } from './refused.js';
import { elideAttachments } from './strategies/elide-attachments.js';

/** What a fit came to that was refused. */
export interface Refusal {
  readonly figures: Figures;
  /** Tokens of the history as it fits best: whole, or without what no budget would let stay. */
  readonly wholeTokens: number;
  /** Its bytes, if there is a budget of them. */
  readonly wholeBytes: number | undefined;
  readonly unshrinkable: readonly Unshrinkable[];
  readonly options: FitOptions;
  /** Tokens to which the strategy can bring the history, whatever the budget. */
  readonly leastTokens: number;
  /** Attachments that a strategy nobody asked for could leave out, where the history would then fit. */
  readonly elidable: Elidable | null;
}

/**
 * What the caller can do, only what can help, in the order of langroid-overflow §8. A hint is true: whoever does what
 * its sentence says is not refused again, unless it says itself how much would then be missing.
 */
export function hintsFor(refusal: Refusal): Hint[] {
  return ROWS.flatMap(([code, detailOf]) => {
    const detail = detailOf(refusal);
    return detail === null ? [] : [{ code, detail }];
  });
}

/** What could be shorter, though no strategy may touch it. */
const SHORTER = [
  ['system', 'Protected messages at the front'],
  ['last_user', 'The last user message'],
  ['after_last_user', 'Messages after the last user message'],
  ['before_first_user', 'Messages before the first user message'],
  ['pinned', 'Pinned messages, and turns that stay with them'],
] as const;

/** Each hint with its sentence, or null where it cannot help. */
const ROWS: readonly (readonly [HintCode, (refusal: Refusal) => string | null])[] = [
  ['raise_context_window', raiseContextWindow],
  ['lower_min_output_tokens', lowerMinOutput],
  ['lower_max_output_tokens', lowerMaxOutput],
  ['raise_max_output_tokens', raiseMaxOutput],
  ['raise_budget_tokens', raiseBudget],
  ['lower_budget_tokens', lowerBudget],
  ['raise_max_request_bytes', raiseMaxBytes],
  ...SHORTER.map(([reason, subject]): (typeof ROWS)[number] => [
    `shorten_${reason}`,
    shorten(reason, subject),
  ]),
  ['reduce_attachments', reduceAttachments],
  [elideAttachments.name, leaveOutAttachments],
];

function raiseContextWindow(refusal: Refusal): string | null {
  const { figures, options } = refusal;
  const { contextWindow } = figures;
  if (contextWindow === null) return null;
  const enough = windowsWorthATry(refusal).find((window) => isEnough(refusal, window));
  if (enough !== undefined) {
    return `A context window of ${enough.contextWindowTokens} tokens would be enough; it is set to ${contextWindow}. Raise it if the model's own is larger.`;
  }
  if (options.budgetTokens === undefined || sufficientBudget(refusal) !== undefined) return null;
  const both = windowsWorthATry(refusal)
    .flatMap((window) => budgetsWorthATry(refusal).map((raised) => ({ ...window, ...raised })))
    .find((change) => isEnough(refusal, change));
  if (both === undefined) return null;
  return `A context window of ${both.contextWindowTokens} tokens would be enough, together with a budget of ${both.budgetTokens}; they are set to ${contextWindow} and ${options.budgetTokens}.`;
}

function lowerMinOutput(refusal: Refusal): string | null {
  const { contextWindow, shortfall, minOutputTokens, maxOutputTokens } = refusal.figures;
  // Elsewhere less output makes no room.
  if (contextWindow === null || minOutputTokens <= 0 || !isShared(refusal.options)) return null;
  if (isShortOfBytes(refusal)) return null;
  const { wholeTokens, options } = refusal;
  const capTokens = inputCapTokens(options);
  const canCompress = refusal.figures.historyTokensAfter <= capTokens - (options.summaryTokens ?? 0);
  const canStayWhole = wholeTokens <= capTokens && isWholeWithinBytes(refusal);
  const roomTokens = Math.max(
    canCompress ? roomAfterCompression(refusal) : Number.NEGATIVE_INFINITY,
    // A history that stays whole needs no room for a summary.
    canStayWhole ? contextWindow - wholeTokens - options.bufferTokens : Number.NEGATIVE_INFINITY,
  );
  // Where the budget follows from the window, a lower minimum raises it; else it only lets less output be enough.
  const canHelp =
    options.budgetTokens === undefined
      ? shortfall > 0
      : shortfall === 0 && roomTokens >= 0 && roomTokens < minOutputTokens;
  if (!canHelp) return null;
  if (roomTokens >= 0) {
    return `A minimal output of ${Math.min(roomTokens, maxOutputTokens)} tokens would be enough; it is set to ${minOutputTokens}.`;
  }
  if (capTokens !== Number.POSITIVE_INFINITY) return null;
  const missingTokens = canStayWhole
    ? Math.min(-roomTokens, wholeTokens + maxOutputTokens - contextWindow)
    : -roomTokens;
  return `A minimal output below ${minOutputTokens} tokens makes room, but not enough: even with none, ${missingTokens} tokens are missing.`;
}

function lowerMaxOutput(refusal: Refusal): string | null {
  const { shortfall, contextWindow, budget } = refusal.figures;
  const { wholeTokens } = refusal;
  if (contextWindow === null || contextWindow - wholeTokens < 1) return null;
  if (!isShared(refusal.options) || wholeTokens > inputCapTokens(refusal.options)) return null;
  if (!isWholeWithinBytes(refusal)) return null;
  const isBudgetGiven = refusal.options.budgetTokens !== undefined;
  const canHelp = isBudgetGiven ? wholeTokens <= budget : shortfall > 0;
  if (!canHelp) return null;
  const roomTokens = contextWindow - wholeTokens;
  return `An output of at most ${roomTokens} tokens fits beside the whole history, without the buffer of ${refusal.options.bufferTokens}.`;
}

function raiseMaxOutput(refusal: Refusal): string | null {
  const { shortfall, maxOutputTokens, minOutputTokens } = refusal.figures;
  if (shortfall > 0 || maxOutputTokens >= minOutputTokens) return null;
  if (!isEnough(refusal, { maxOutputTokens: minOutputTokens })) return null;
  return `The output asked for, ${maxOutputTokens} tokens, is below the minimum of ${minOutputTokens}.`;
}

function raiseBudget(refusal: Refusal): string | null {
  const enough = sufficientBudget(refusal);
  if (enough === undefined) return null;
  return `A budget of ${enough.budgetTokens} tokens would be enough; it is set to ${refusal.options.budgetTokens}.`;
}

function lowerBudget(refusal: Refusal): string | null {
  const { shortfall, contextWindow, maxOutputTokens, minOutputTokens } = refusal.figures;
  const { budgetTokens, summaryTokens = 0 } = refusal.options;
  if (budgetTokens === undefined || shortfall > 0 || contextWindow === null) return null;
  if (!isShared(refusal.options) || isShortOfBytes(refusal)) return null;
  const roomTokens = contextWindow - minOutputTokens - reservedTokens(refusal.options);
  if (maxOutputTokens < minOutputTokens || refusal.leastTokens > roomTokens) return null;
  return `A budget of at most ${roomTokens + summaryTokens} tokens leaves room for the minimal output; it is set to ${budgetTokens}.`;
}

function raiseMaxBytes(refusal: Refusal): string | null {
  const { bytes } = refusal.figures;
  if (bytes === undefined || bytes.shortfall === 0) return null;
  const enough = [bytes.after, refusal.wholeBytes ?? bytes.after].find((maxRequestBytes) =>
    isEnough(refusal, { maxRequestBytes }),
  );
  const missing = enough === undefined ? besides(refusal) : '';
  return `A request of ${enough ?? bytes.after} bytes would be enough; ${bytes.budget} are allowed${missing}.`;
}

/** Bytes that something in the messages has which no step could take away. */
type BytesOf = (entry: Unshrinkable) => number;

/** What it would do to have fewer bytes of something; null where that is not even enough together with all else that could be less. */
function fewerBytes(refusal: Refusal, subject: string, bytesOf: BytesOf): string | null {
  const missing = refusal.figures.bytes?.shortfall ?? 0;
  const bytes = sum(refusal.unshrinkable, bytesOf);
  if (bytes === 0) return null;
  const left = `${subject}: ${bytes} bytes that are left as they are`;
  if (bytes >= missing) return `${left}; ${missing} fewer would be enough${besides(refusal)}.`;
  const canOneDo = SHORTER_BYTES.some((each) => sum(refusal.unshrinkable, each) >= missing);
  const canAllDo =
    SHORTER_BYTES.reduce((total, each) => total + sum(refusal.unshrinkable, each), 0) >= missing;
  return canAllDo && !canOneDo ? `${left}, of the ${missing} that are missing.` : null;
}

/** What would be missing still if the bytes that are left were allowed. */
function besides(refusal: Refusal): string {
  const { figures, options } = refusal;
  if (isEnough(refusal, { maxRequestBytes: figures.bytes?.after ?? Number.POSITIVE_INFINITY })) return '';
  if (figures.shortfall > 0) return `, but ${figures.shortfall} tokens are missing besides`;
  const outputTokens = outputAfterCompression(figures.historyTokensAfter, options);
  return `, but ${options.minOutputTokens - outputTokens} tokens are missing besides for the minimal output`;
}

function isShortOfBytes({ figures }: Refusal): boolean {
  return (figures.bytes?.shortfall ?? 0) > 0;
}

function isWholeWithinBytes({ figures, wholeBytes = 0 }: Refusal): boolean {
  return wholeBytes <= (figures.bytes?.budget ?? Number.POSITIVE_INFINITY);
}

const contentBytesOf =
  (reason: UnshrinkableReason): BytesOf =>
  (entry) =>
    entry.reason === reason ? (entry.contentBytes ?? 0) : 0;

const attachmentBytesOf: BytesOf = ({ attachmentBytes = 0 }) => attachmentBytes;

function shorten(reason: UnshrinkableReason, subject: string): (refusal: Refusal) => string | null {
  return (refusal) => {
    if (isShortOfBytes(refusal)) return fewerBytes(refusal, subject, contentBytesOf(reason));
    const tokens = sum(refusal.unshrinkable, (entry) => (entry.reason === reason ? entry.contentTokens : 0));
    if (tokens === 0) return null;
    return `${subject}: ${tokens} tokens of content, which is never cut; ${effectOfLess(refusal, tokens)}.`;
  };
}

function reduceAttachments(refusal: Refusal): string | null {
  if (isShortOfBytes(refusal))
    return fewerBytes(refusal, 'Attachments of the remaining messages', attachmentBytesOf);
  const tokens = sum(refusal.unshrinkable, (entry) => entry.attachmentTokens);
  if (tokens === 0) return null;
  return `Attachments of the remaining messages have ${tokens} tokens and are never cut; ${effectOfLess(refusal, tokens)}.`;
}

function leaveOutAttachments(refusal: Refusal): string | null {
  const { elidable } = refusal;
  if (elidable === null) return null;
  const size = isShortOfBytes(refusal) ? `${elidable.bytes} bytes` : `${elidable.tokens} tokens`;
  return `The strategy \`${elideAttachments.name}\` behind the others would be enough: notes in the place of old attachments, ${size} in ${elidable.messages} of the messages.`;
}

/** What it would do to take away some or all of `tokens` that no step can remove. */
function effectOfLess(refusal: Refusal, tokens: number): string {
  const { historyTokensAfter, budget } = refusal.figures;
  const { options } = refusal;
  const { budgetTokens = Infinity, bufferTokens, maxOutputTokens, minOutputTokens } = options;
  const windowTokens = isShared(options) ? (options.contextWindowTokens ?? Infinity) : Infinity;
  const outputTokens = Math.min(maxOutputTokens, leastOutputTokens(options) + bufferTokens);
  const mostTokens = Math.min(budgetTokens, windowTokens - outputTokens, inputCapTokens(options));
  const excessTokens = isWholeWithinBytes(refusal)
    ? refusal.wholeTokens - mostTokens
    : Number.POSITIVE_INFINITY;
  // Compression ends at the budget, which may be more than the window can hold.
  const canCompress =
    maxOutputTokens >= minOutputTokens && budget <= windowTokens - minOutputTokens - reservedTokens(options);
  const missingTokens = canCompress ? Math.min(excessTokens, historyTokensAfter - budget) : excessTokens;
  return missingTokens <= tokens
    ? `${missingTokens} fewer would be enough`
    : `without them ${missingTokens - tokens} would still be missing`;
}

/** What is kept free beside a compressed history and its output. */
function reservedTokens({ bufferTokens, summaryTokens = 0 }: FitOptions): number {
  return bufferTokens + summaryTokens;
}

type Change = Partial<
  Pick<FitOptions, 'contextWindowTokens' | 'maxOutputTokens' | 'budgetTokens' | 'maxRequestBytes'>
>;

/**
 * Whether the conversation fits with other options, as it is or compressed as far as it was. Compression ends at or
 * below every budget that its result was below, so that it need not be done again to know.
 */
function isEnough({ figures, wholeTokens, wholeBytes = 0, options }: Refusal, change: Change): boolean {
  const changed = { ...options, ...change };
  const { historyTokensAfter } = figures;
  const maxBytes = changed.maxRequestBytes ?? Number.POSITIVE_INFINITY;
  if (wholeBytes <= maxBytes && outputBesideHistory(wholeTokens, changed) !== null) return true;
  return (
    (figures.bytes?.after ?? 0) <= maxBytes &&
    historyTokensAfter <= historyBudgetTokens(changed) &&
    outputAfterCompression(historyTokensAfter, changed) >= changed.minOutputTokens
  );
}

/** Windows for all that was asked for, and for the minimal output beside the compressed history; smallest first. */
function windowsWorthATry({ figures, wholeTokens, options }: Refusal): Change[] {
  const { historyTokensAfter, maxOutputTokens, minOutputTokens } = figures;
  return [wholeTokens + maxOutputTokens, historyTokensAfter + minOutputTokens + reservedTokens(options)]
    .sort((a, b) => a - b)
    .map((contextWindowTokens) => ({ contextWindowTokens }));
}

/** Budgets for the compressed history and for all of it, where these are higher than the given one. */
function budgetsWorthATry({ figures, wholeTokens, options }: Refusal): Change[] {
  return [figures.historyTokensAfter + (options.summaryTokens ?? 0), wholeTokens]
    .filter((budgetTokens) => budgetTokens > (options.budgetTokens ?? figures.budget))
    .map((budgetTokens) => ({ budgetTokens }));
}

function sufficientBudget(refusal: Refusal): Change | undefined {
  if (refusal.options.budgetTokens === undefined) return undefined;
  return budgetsWorthATry(refusal).find((budget) => isEnough(refusal, budget));
}

/** Tokens that the window leaves for an output beside the compressed history; negative if it cannot hold that. */
function roomAfterCompression({ figures, options }: Refusal): number {
  return (figures.contextWindow ?? 0) - figures.historyTokensAfter - reservedTokens(options);
}

function sum(entries: readonly Unshrinkable[], tokensOf: (entry: Unshrinkable) => number): number {
  return entries.reduce((total, entry) => total + tokensOf(entry), 0);
}

/** Whatever may have fewer bytes. */
const SHORTER_BYTES: readonly BytesOf[] = [
  ...SHORTER.map(([reason]) => contentBytesOf(reason)),
  attachmentBytesOf,
];
