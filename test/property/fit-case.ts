import { parseBody, writeJson } from '@preflight/body';
import type { CountResponse, PreflightResponse, Problem } from '@preflight/contracts';
import { type Json, TextRange } from '@preflight/core';
import { type Parts, startParts } from '../harness/in-process.js';
import { type Case, type Plain, requestOf, type Size } from './conversations.js';

export type Request = ReturnType<typeof requestOf>;

/** What one case came to: a fitted conversation, or a problem. */
export interface Outcome {
  readonly body: Plain;
  /** The provider's request that went in. */
  readonly request: Request;
  readonly count: Counted;
  readonly fitted: (PreflightResponse & { conversation: Request }) | undefined;
  readonly problem: Problem | undefined;
}

/** Of attachments that the provider would take. */
export type Counted = CountResponse & { readonly tokens: number };

/** Strings above this travel as ranges of bytes, so that generated texts take both ways. */
const LIFT_BYTES = 64;

export class Fitter {
  readonly #parts: Parts;

  constructor(parts: Parts = startParts()) {
    this.#parts = parts;
  }

  async fit(one: Case): Promise<Outcome> {
    const count = await this.count(one.counted);
    const { strategy, max_output_tokens, min_output_tokens, buffer_tokens } = one;
    const window = windowOf(one.size, count.tokens, one);
    const body = {
      ...one.counted,
      strategy,
      max_output_tokens,
      min_output_tokens,
      buffer_tokens,
      context_window: Math.max(1, window),
      return: 'conversation',
    };
    return { ...(await this.preflight(body)), count };
  }

  async preflight(body: Plain): Promise<Omit<Outcome, 'count'>> {
    const tree = frozen(treeOf(body));
    const answer = await this.#parts.answerer.preflight(tree, context('/v1/preflight'));
    const plain = plainOf(answer.body);
    const isFitted = answer.status === 200;
    return {
      body,
      request: requestOf(body),
      fitted: isFitted ? (plain as Outcome['fitted']) : undefined,
      problem: isFitted ? undefined : (plain as Problem),
    };
  }

  async count(body: Plain): Promise<Counted> {
    const answer = await this.#parts.answerer.count(frozen(treeOf(body)), context('/v1/count'));
    return plainOf(answer.body) as Counted;
  }
}

/** The body with another conversation in it. */
export function withRequest(body: Plain, request: Plain): Plain {
  return body.request ? { ...body, request } : { ...body, ...request };
}

function windowOf({ at, offset, fraction }: Size, tokens: number, one: Case): number {
  const reserve = one.min_output_tokens + one.buffer_tokens;
  if (at === 'fits') return tokens + one.max_output_tokens + offset;
  if (at === 'output') return tokens + reserve + offset;
  return Math.round(tokens * fraction) + reserve + offset;
}

function treeOf(body: Plain): Json {
  return parseBody(Buffer.from(JSON.stringify(body)), { liftBytes: LIFT_BYTES });
}

function plainOf(tree: Json): unknown {
  return JSON.parse(writeJson(tree).toString());
}

/** Whoever writes to it throws. */
function frozen(tree: Json): Json {
  if (typeof tree === 'object' && tree !== null) {
    if (!(tree instanceof TextRange)) for (const child of Object.values(tree)) frozen(child as Json);
    Object.freeze(tree);
  }
  return tree;
}

function context(instance: string) {
  return { instance, requestId: 'test', signal: new AbortController().signal };
}
