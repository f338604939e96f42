import { toPreflightError } from '@preflight/api';
import { parseBody, writeJson } from '@preflight/body';
import type { CountResponse, PreflightResponse, Problem } from '@preflight/contracts';
import type { Json, JsonObject } from '@preflight/core';
import { type Parts, startParts } from '../../harness/in-process.js';
import type { Plain } from '../checkers/index.js';
import { inspectOnce } from './inspect-once.js';

export type Fitted = PreflightResponse & { conversation: Plain };

export type Answered =
  | { readonly fitted: Fitted }
  | { readonly code: string; readonly status: number; readonly problem?: Problem };

/** Strings above this travel as ranges of bytes, so that generated texts take both ways. */
const LIFT_BYTES = 64;

/** The service in this process, without HTTP. A request is read from its bytes once, however often it is to fit. */
export class Service {
  readonly #parts: Parts;
  readonly #requests = new WeakMap<Plain, Json>();

  constructor(parts: Parts = startParts()) {
    parts.pool.inspectAll = inspectOnce(parts.pool);
    this.#parts = parts;
  }

  async preflight(body: Plain): Promise<Answered> {
    try {
      const { status, body: answer } = await this.#parts.answerer.preflight(this.#treeOf(body), context());
      if (status === 200) return { fitted: JSON.parse(writeJson(answer).toString()) as Fitted };
      const problem = answer as unknown as Problem;
      return { code: problem.code, status, problem };
    } catch (error) {
      const { code } = toPreflightError(error);
      if (code === 'internal_error') throw error;
      return { code, status: 400 };
    }
  }

  /** Undefined where the request cannot be read. */
  async count(body: Plain): Promise<number | undefined> {
    try {
      const { body: answer } = await this.#parts.answerer.count(this.#treeOf(body), context());
      return (answer as unknown as CountResponse).tokens ?? undefined;
    } catch (error) {
      if (toPreflightError(error).code === 'internal_error') throw error;
      return undefined;
    }
  }

  #treeOf({ request, ...options }: Plain): Json {
    const asked = request as Plain;
    const tree = this.#requests.get(asked) ?? treeOf(asked);
    this.#requests.set(asked, tree);
    return { ...(options as JsonObject), request: tree };
  }
}

function treeOf(body: Plain): Json {
  return parseBody(Buffer.from(JSON.stringify(body)), { liftBytes: LIFT_BYTES });
}

function context() {
  return { instance: '/', requestId: 'test', signal: new AbortController().signal };
}
