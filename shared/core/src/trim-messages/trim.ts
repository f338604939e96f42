import type { ListCosts } from './list-costs.js';
import { textUnitsWithin, tokensWithParts, tokensWithText } from './list-costs.js';
import { MESSAGE_TYPES, type RoleOfType, TYPE_OF_ROLE } from './message-type.js';
import { type KeptBytes, type Shortened, type TrimDecision, trimDecision } from './trim-decision.js';
import type { TextSplitter, TrimOptions } from './trim-options.js';

/** A trim on its way to a decision. It is decided at once unless a text has to be shortened, of which there is at most one. */
export interface Trim {
  readonly step: TrimStep;
  /** Gives what was kept of the text; null for nothing. */
  decide(kept: KeptText | null): TrimDecision;
}

export type TrimStep = { readonly type: 'decided'; readonly decision: TrimDecision } | ShortenStep;

/** Keep as many pieces of a text as have no more than so many units, from its end for `last`, else from its start. */
export interface ShortenStep {
  readonly type: 'shorten';
  readonly index: number;
  /** Which part of the message is the text. */
  readonly part: number;
  readonly maxUnits: number;
  readonly side: TrimOptions['strategy'];
  readonly splitter: TextSplitter;
}

export interface KeptText extends KeptBytes {
  readonly units: number;
}

/**
 * Begins to trim a list of which only the costs are known (langchain-trim.md, sections 3 to 6). One pass; costs and
 * options are only read.
 */
export function startTrim(costs: ListCosts, options: TrimOptions): Trim {
  const list = new Trimmed(costs, options);
  const shortening = options.allowPartial ? list.shorten() : undefined;
  if (shortening !== undefined && 'type' in shortening) {
    const { index, part } = shortening;
    return {
      step: shortening,
      decide: (kept) => {
        if (kept === null) return list.decide(null);
        const { startBytes, endBytes, units } = kept;
        const tokens = tokensWithText(costs, index, units);
        return list.decide({ index, tokens, part, startBytes, endBytes });
      },
    };
  }
  const decision = list.decide(shortening ?? null);
  return { step: { type: 'decided', decision }, decide: () => decision };
}

/** A list of which a run is kept, seen from the side that is kept: what is `near` stays longest. */
class Trimmed {
  readonly #costs: ListCosts;
  readonly #options: TrimOptions;
  readonly #messageCount: number;
  /** What is set aside before the cut: messages behind `end`, and those before `start`, which is a system message. */
  readonly #start: number;
  readonly #end: number;
  /** How many messages are kept of those between, and what is left of the budget. */
  readonly #kept: number;
  readonly #roomTokens: number;

  constructor(costs: ListCosts, options: TrimOptions) {
    this.#costs = costs;
    this.#options = options;
    const { types } = costs;
    this.#messageCount = types.length;
    this.#end = options.strategy === 'last' ? endAfter(types, options.endOn) : types.length;
    const hasSystem = options.includeSystem && this.#end > 0 && types[0] === SYSTEM;
    this.#start = hasSystem ? 1 : 0;
    let room = hasSystem ? Math.max(0, options.maxTokens - this.#tokens(0)) : options.maxTokens;
    let kept = 0;
    for (; kept < this.#end - this.#start; kept++) {
      const tokens = this.#tokens(this.#at(kept));
      if (tokens > room) break;
      room -= tokens;
    }
    this.#kept = kept;
    this.#roomTokens = room;
  }

  /** What to do about the first message beyond the kept run (section 6); undefined if nothing of it can be kept. */
  shorten(): ShortenStep | Shortened | undefined {
    if (this.#kept === this.#end - this.#start) return undefined;
    const index = this.#at(this.#kept);
    const { isArray, partStarts, partHasText } = this.#costs;
    const firstPart = partStarts[index] as number;
    const partCount = (partStarts[index + 1] as number) - firstPart;
    const byParts = isArray[index] ? this.#someParts(index, partCount) : undefined;
    if (byParts !== undefined) return byParts;
    const part = this.#isLast ? partCount - 1 : 0;
    const maxUnits = textUnitsWithin(this.#costs, index, this.#roomTokens);
    if (partCount === 0 || partHasText[firstPart + part] !== 1 || maxUnits < 0) return undefined;
    const { strategy: side, splitter } = this.#options;
    return { type: 'shorten', index, part, maxUnits, side, splitter };
  }

  decide(shortened: Shortened | null): TrimDecision {
    const { types } = this.#costs;
    const { endOn, startOn, maxTokens: budget } = this.#options;
    const cutAt = this.#kept + (shortened === null ? 0 : 1);
    const edge = this.#isLast ? startOn : endOn;
    let left = cutAt;
    while (left > 0 && !matches(types[this.#at(left - 1)] as number, edge)) left -= 1;
    const isShortened = shortened !== null && left === cutAt;

    let after = this.#start === 1 ? this.#tokens(0) : 0;
    for (let i = 0; i < Math.min(left, this.#kept); i++) after += this.#tokens(this.#at(i));
    if (isShortened) after += shortened.tokens;
    const before = this.#costs.tokens.reduce((sum, tokens) => sum + tokens, 0);
    return trimDecision({
      tokens: { before, after, budget },
      spans: this.#spans(left, cutAt),
      shortened: isShortened ? shortened : null,
    });
  }

  /** Messages that go, in input order: `left` stay of the `cutAt` within the budget. */
  #spans(left: number, cutAt: number) {
    const [start, end] = [this.#start, this.#end];
    return this.#isLast
      ? ([
          { from: start, to: end - cutAt, reason: 'max_tokens' },
          { from: end - cutAt, to: end - left, reason: 'start_on' },
          { from: end, to: this.#messageCount, reason: 'end_on' },
        ] as const)
      : ([
          { from: left, to: cutAt, reason: 'end_on' },
          { from: cutAt, to: end, reason: 'max_tokens' },
        ] as const);
  }

  /** The most parts that fit, but not all, counted from the side that is kept. */
  #someParts(index: number, partCount: number): Shortened | undefined {
    const partTokens = (parts: number) => {
      const [fromPart, toPart] = this.#isLast ? [partCount - parts, partCount] : [0, parts];
      return { fromPart, toPart, tokens: tokensWithParts(this.#costs, index, fromPart, toPart) };
    };
    // A part more never costs less, so that halving finds what trying one after the other would.
    let least = 0;
    let most = partCount - 1;
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (partTokens(middle).tokens <= this.#roomTokens) least = middle;
      else most = middle - 1;
    }
    return least > 0 ? { index, ...partTokens(least) } : undefined;
  }

  get #isLast(): boolean {
    return this.#options.strategy === 'last';
  }

  #at(position: number): number {
    return this.#isLast ? this.#end - 1 - position : this.#start + position;
  }

  #tokens(index: number): number {
    return this.#costs.tokens[index] as number;
  }
}

const SYSTEM = MESSAGE_TYPES.indexOf('system');

/** The end of the list once what stands behind the last message of the types is gone; 0 if there is none. */
function endAfter(types: Uint8Array, endOn: readonly RoleOfType[]): number {
  let end = types.length;
  while (end > 0 && !matches(types[end - 1] as number, endOn)) end -= 1;
  return end;
}

/** An empty list of types, like none, matches all. */
function matches(type: number, types: readonly RoleOfType[]): boolean {
  return types.length === 0 || types.some((name) => MESSAGE_TYPES.indexOf(TYPE_OF_ROLE[name]) === type);
}
