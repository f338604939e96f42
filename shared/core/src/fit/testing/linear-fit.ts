import type { Message } from '../../conversation.js';
import type { Ledger } from '../../ledger.js';
import { finish } from '../../steps.js';
import { ledgerRoles, unitsOf } from '../../units.js';
import type { Decision, Fitted } from '../decision.js';
import { startFit } from '../fit.js';
import type { FitOptions } from '../options.js';
import type { Refused } from '../refused.js';
import type { AskedCut, Cut } from '../step.js';

/** Tokens of the marker in every test. */
export const MARKER_TOKENS = 6;

/** Tokens of a note in every test. */
export const NOTE_TOKENS = 9;

/**
 * A ledger from a line such as `s6 u300@50 a12+4 u2`: role (s, u, a, t), content, `@` attachments, `+` other tokens.
 * A `c` is an assistant with a call, and an `r` the result of the last call that has none; a `t` is no result.
 */
export function ledgerOf(
  line: string,
  {
    protectedCount = 1,
    requestOverheadTokens = 0,
  }: { protectedCount?: number; requestOverheadTokens?: number } = {},
): Ledger {
  const messages = line.split(' ').filter((word) => word !== '');
  const shapes = messages.map((word) => shapeOf(word.charAt(0)));
  const column = (pattern: RegExp) => messages.map((word) => Number(pattern.exec(word)?.[1] ?? 0));
  return {
    contentTokens: Int32Array.from(column(/^\w(\d+)/)),
    attachmentTokens: Int32Array.from(column(/@(\d+)/)),
    otherTokens: Int32Array.from(column(/\+(\d+)/)),
    boundTokens: new Int32Array(messages.length),
    ...finish(unitsOf(shapes)),
    roles: ledgerRoles(shapes),
    isUser: Uint8Array.from(messages, (word) => Number(word.startsWith('u'))),
    protectedCount,
    requestOverheadTokens,
  };
}

const ROLES: Readonly<Record<string, string>> = {
  s: 'system',
  u: 'user',
  a: 'assistant',
  c: 'assistant',
  t: 'tool',
  r: 'tool',
};

function shapeOf(letter: string): Message {
  const calls = letter === 'c' ? { calls: ['call'] } : {};
  const results = letter === 'r' ? { results: ['call'] } : {};
  return { role: ROLES[letter] ?? letter, texts: [], attachments: [], ...calls, ...results };
}

/** Options under which `budget` tokens are left for the history, with the specification's defaults. */
export function optionsFor(budget: number, more: Partial<FitOptions> = {}): FitOptions {
  const { minOutputTokens = 64, bufferTokens = 300 } = more;
  return {
    strategies: ['truncate'],
    contextWindowTokens: budget + minOutputTokens + bufferTokens,
    maxOutputTokens: 1024,
    minOutputTokens,
    bufferTokens,
    markerTokens: MARKER_TOKENS,
    ...more,
  };
}

export interface Run {
  decision: Decision;
  asked: AskedCut[];
  cuts: Cut[];
}

/** Runs a fit with a counter under which a cut text has exactly the kept tokens and those of the marker. */
export function runFit(ledger: Ledger, options: FitOptions, driftTokens = 0): Run {
  const fit = startFit(ledger, options);
  const asked: AskedCut[] = [];
  const cuts: Cut[] = [];
  let step = fit.step;
  while (step.type === 'cut') {
    const { index, keepTokens, elidedTokens, elidedAttachmentTokens } = step;
    const isNote = elidedTokens !== undefined || elidedAttachmentTokens !== undefined;
    const contentTokens = isNote ? NOTE_TOKENS : keepTokens + options.markerTokens + driftTokens;
    const cut = {
      index,
      textIndex: 0,
      keepBytes: keepTokens * 4,
      contentTokens,
      ...(elidedTokens !== undefined && { elidedTokens }),
      ...(elidedAttachmentTokens !== undefined && { elidedAttachmentTokens }),
    };
    asked.push(step);
    cuts.push(cut);
    step = fit.next(cut);
  }
  return { decision: step.decision, asked, cuts };
}

export function fittedOf(decision: Decision): Fitted {
  if (decision.outcome === 'refused') throw new Error(`refused: ${JSON.stringify(decision)}`);
  return decision;
}

export function refusedOf(decision: Decision): Refused {
  if (decision.outcome !== 'refused') throw new Error(`not refused: ${decision.outcome}`);
  return decision;
}
