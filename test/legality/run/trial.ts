import { STRATEGIES } from '@preflight/core';
import { listOf, type Plain } from '../checkers/index.js';
import { type Generated, RENDERINGS, TRACE } from '../conversations/index.js';
import { isAsked, isInstruction } from './entries.js';
import {
  type Asked,
  byteFaults,
  conversationFaults,
  type Fault,
  isLegal,
  pinFaults,
  tokenFaults,
} from './judge.js';
import type { Service } from './service.js';

/** It is literal by definition: what LangChain leaves, with hazards named (langchain-trim.md §9, §10). */
const LITERAL = 'trim_messages';

/** A way to make a conversation fit: options of the call, with a name for reports. */
export interface Way {
  readonly name: string;
  readonly options: Plain;
  /** As far as there are such messages. */
  readonly pins?: readonly number[];
  /** Stands in the request from the start; what it has then is judged. */
  readonly summary?: string;
  /** Bytes are as scarce as tokens. */
  readonly isShortOfBytes?: boolean;
  /** What it may do because the caller asked for it. */
  readonly asked?: Asked;
}

const OPTIONS: readonly Way[] = [
  {
    name: 'truncate by max_min, tails and middles',
    options: {
      strategy: 'truncate',
      truncate: { max_min: true, cut: { user: 'tail', assistant: 'middle', tool: 'tail' } },
    },
  },
  {
    name: 'trim with shorten and repair',
    options: { strategy: 'trim', trim: { shorten: true, repair: true } },
    asked: { isRepaired: true },
  },
  {
    name: 'trim that begins anywhere',
    options: { strategy: 'trim', trim: { pin_newest_user: false, start_on: [], repair: true } },
    asked: { mayLoseNewest: true, isRepaired: true },
  },
  {
    name: 'trim to a question or a result',
    options: { strategy: 'trim', trim: { end_on: ['user', 'tool'], start_on: ['assistant', 'user'] } },
    asked: { mayFindNoEnd: true },
  },
  {
    name: 'trim to an answer',
    options: { strategy: 'trim', trim: { end_on: 'assistant' } },
    pins: [1],
    asked: { mayFindNoEnd: true, mayLoseNewest: true },
  },
  { name: 'trim with pins', options: { strategy: 'trim', trim: { start_on: [] } }, pins: [1, 4] },
  {
    name: 'truncate and drop turns with pins',
    options: { strategy: ['truncate', 'drop_turns'] },
    pins: [2, 3],
  },
  {
    name: 'attachments first, then turns',
    options: { attachments: 'elide_oldest', strategy: ['drop_turns', 'truncate'] },
  },
  {
    name: 'attachments once, then results and turns, with pins',
    options: { attachments: 'elide_repeated', strategy: ['elide_tool_results', 'drop_turns', 'truncate'] },
    pins: [1, 4],
  },
  {
    name: 'few bytes, attachments once',
    options: { attachments: 'elide_repeated', strategy: ['elide_attachments', 'trim'] },
    isShortOfBytes: true,
  },
  { name: 'drop turns for a summary', options: { strategy: 'drop_turns' }, summary: 'They met in Oslo.' },
  { name: 'few bytes', options: { strategy: 'truncate' }, isShortOfBytes: true },
  {
    name: 'few bytes, attachments and results first',
    options: { attachments: 'elide_oldest', strategy: ['elide_tool_results', 'trim'] },
    isShortOfBytes: true,
  },
];

/**
 * Every strategy there is, all of them one after the other, and those with options that change their results: all of
 * these, or `optionWays` of them, which take turns from one conversation to the next.
 */
export function waysToFit(turn = 0, optionWays = Number.POSITIVE_INFINITY): Way[] {
  const names = Object.keys(STRATEGIES).filter((name) => name !== LITERAL);
  const taken = Math.min(optionWays, OPTIONS.length);
  const first = turn * taken;
  return [
    ...names.map((strategy) => ({ name: strategy, options: { strategy } })),
    { name: 'all in order', options: { strategy: names } },
    ...Array.from({ length: taken }, (_, index) => OPTIONS[(first + index) % OPTIONS.length] as Way),
  ];
}

/** What one strategy came to with one budget. */
export interface Verdict {
  readonly way: string;
  readonly budget: number;
  /** Code of the refusal; undefined if it was made to fit. */
  readonly refusal?: string;
  /** Not even what every strategy keeps is within the budget. */
  readonly isBelowFloor?: boolean;
  readonly outcome?: string;
  readonly faults: readonly Fault[];
}

/** Refusals of requests that cannot be read, or whose tool history is broken. A legal one is neither. */
const ONLY_ILLEGAL = new Set(['invalid_request', 'malformed_tool_history']);

/** A conversation in each of these ways, each with that many budgets, from nothing to more than it needs. */
export async function* trial(
  service: Service,
  generated: Generated,
  budgets: number,
  ways: readonly Way[] = waysToFit(),
): AsyncGenerator<Verdict> {
  yield* trialOf(
    service,
    generated,
    budgets,
    ways.filter(({ summary }) => summary === undefined),
  );
  for (const way of ways) {
    const placed = way.summary && (await withSummary(service, generated, way.summary));
    if (placed) yield* trialOf(service, placed, budgets, [way]);
  }
}

/** What comes of a request with a summary; undefined where it cannot be read, or has no place for one. */
async function withSummary(
  service: Service,
  { format, request, model, ...generated }: Generated,
  summary: string,
): Promise<Generated | undefined> {
  const body = { format, model, encoding: 'o200k_base', request, summary, return: 'conversation' };
  const answered = await service.preflight({ ...body, budget_tokens: 1_000_000 });
  if ('code' in answered) return undefined;
  const { conversation } = answered.fitted;
  const list = RENDERINGS[format]?.list ?? 'messages';
  const messages = listOf(conversation[list]).map((message, index) => ({
    ...(message as Plain),
    [TRACE]: index,
  }));
  return { ...generated, format, model, request: { ...conversation, [list]: messages } };
}

async function* trialOf(
  service: Service,
  { format, request, model }: Generated,
  budgets: number,
  ways: readonly Way[],
): AsyncGenerator<Verdict> {
  const counted = { format, model, encoding: 'o200k_base' };
  const before = await service.count({ ...counted, request });
  const wasLegal = isLegal(format, request, model);
  if (before === undefined) {
    const faults = wasLegal ? [{ law: 'a legal request is read', detail: '' }] : [];
    yield { way: 'count', budget: 0, refusal: 'invalid_request', faults };
    return;
  }
  const floor = (await service.count({ ...counted, request: floorOf(format, request) })) ?? 0;
  /** Many budgets come to the same conversation, which is judged once. */
  const known = new Map<string, { readonly recount: number; readonly faults: readonly Fault[] }>();
  const messageCount = listOf(request[RENDERINGS[format]?.list ?? 'messages']).length;
  for (const { name: way, options, pins = [], summary, isShortOfBytes, asked = {} } of ways)
    for (let step = 0; step < budgets; step++) {
      const share = step / (budgets - 1);
      const budget = Math.ceil(before * 1.05 * share);
      const answered = await service.preflight({
        ...counted,
        request,
        ...options,
        pins: pins.filter((index) => index < messageCount),
        ...(summary && { summary }),
        ...(isShortOfBytes && { max_request_bytes: bytesFor(request, share) }),
        ...roomFor(budget, step),
        return: 'conversation',
      });
      if ('code' in answered) {
        const { code } = answered;
        const faults: Fault[] = [];
        if (wasLegal && ONLY_ILLEGAL.has(code))
          faults.push({ law: `a legal request is no ${code}`, detail: '' });
        const fits = budget >= before && !(isShortOfBytes && bytesFor(request, share) < bytesOf(request));
        if (wasLegal && fits && !asked.mayFindNoEnd)
          faults.push({ law: 'what fits is not refused', detail: code });
        yield { way, budget, refusal: code, isBelowFloor: budget < floor, faults };
        continue;
      }
      const { fitted } = answered;
      const key = JSON.stringify([fitted.conversation, asked]);
      const judged = { format, model, request, fitted, asked };
      const seen = known.get(key) ?? {
        recount: (await service.count({ ...counted, request: fitted.conversation })) ?? Number.NaN,
        faults: conversationFaults(judged),
      };
      known.set(key, seen);
      const faults = [
        ...seen.faults,
        ...tokenFaults({ ...judged, recount: seen.recount }),
        ...pinFaults(fitted, pins),
        ...byteFaults(fitted),
      ];
      yield { way, budget, outcome: fitted.outcome, faults };
    }
}

/** As many bytes more or less as the budget has tokens, and some for what tokens do not tell. */
function bytesFor(request: Plain, share: number): number {
  return Math.ceil(bytesOf(request) * (0.4 + 0.65 * share));
}

function bytesOf(request: Plain): number {
  return Buffer.byteLength(JSON.stringify(request));
}

/** What every strategy keeps: instructions in front, the newest user message and what follows it. */
function floorOf(format: string, request: Plain): Plain {
  const list = RENDERINGS[format]?.list ?? 'messages';
  const entries = listOf(request[list]) as readonly Plain[];
  const first = entries.findIndex((entry) => !isInstruction(entry));
  const newest = entries.findLastIndex(isAsked);
  const left = entries.filter((_, index) => index < first || index >= newest);
  return { ...request, [list]: left };
}

/** Half of the budgets are given as such, the others as a window around them. */
function roomFor(budget: number, step: number): Plain {
  const room = { max_output_tokens: 64, min_output_tokens: 16, buffer_tokens: 4, reasoning_tokens: 0 };
  return step % 2 === 0 ? { ...room, budget_tokens: budget } : { ...room, context_window: budget + 20 };
}
