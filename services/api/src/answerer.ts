import { ACCOUNTING_RULES } from '@preflight/accounting';
import { checkRequest, countRequest, preflightRequest, type Work } from '@preflight/contracts';
import type { Json, JsonObject } from '@preflight/core';
import { MODEL_CATALOG, type ModelCatalog, type ResolvedModel } from '@preflight/models';
import type { Log, Metrics } from '@preflight/runtime';
import { type Answer, okAnswer } from './answers/answer.js';
import type { PricingDefaults } from './attachments/media-pricing.js';
import type { Calibrations } from './calibrations/calibrations.js';
import {
  type Call,
  type CallKind,
  type CountCall,
  type PreflightCall,
  performCall,
  type TrimCall,
} from './calls/call.js';
import type { CallSettings } from './calls/call-settings.js';
import { checkBody } from './calls/check.js';
import { readCountCall } from './calls/count-call.js';
import { readPreflightCall } from './calls/preflight-call.js';
import { readTrimCall } from './calls/trim-call.js';
import type { ProblemContext } from './problems/problems.js';
import { asksForTrim, refuseTrimOptions } from './requests/list-job.js';
import { schemaCheck } from './requests/schema-check.js';
import { AgentLog } from './warnings/agent-log.js';

export interface AnswerContext extends ProblemContext {
  readonly signal: AbortSignal;
}

export interface AnswererOptions {
  readonly work: Work;
  readonly log: Log;
  readonly metrics: Metrics;
  /** What is known of models; without it, what is shipped. */
  readonly models?: ModelCatalog;
  /** What was learned of models; without it, their rules hold. */
  readonly calibrations?: Calibrations;
  readonly maxMessages: number;
  readonly defaultContextWindowTokens: number | undefined;
  /** Default: as text, and the rules that we know. */
  readonly pricing?: PricingDefaults | undefined;
}

const DEFAULT_PRICING: PricingDefaults = { accounting: 'payload', rules: ACCOUNTING_RULES };

/**
 * What the calls about conversations answer, apart from how bodies come and go: HTTP routes and the command line use the same.
 * Bodies are JSON trees of `parseBody`. Rejects with PreflightError; a conversation that cannot fit is an answer.
 */
export class Answerer {
  readonly #options: AnswererOptions;
  readonly #settings: CallSettings;
  readonly #checkPreflight = schemaCheck(preflightRequest);
  readonly #checkCount = schemaCheck(countRequest);
  readonly #checkCheck = schemaCheck(checkRequest);

  constructor(options: AnswererOptions) {
    this.#options = options;
    const { calibrations, maxMessages, defaultContextWindowTokens } = options;
    const agents = new AgentLog(options.log);
    this.#settings = {
      models: options.models ?? MODEL_CATALOG,
      pricing: options.pricing ?? DEFAULT_PRICING,
      calibrations,
      maxMessages,
      defaultContextWindowTokens,
      onWarnings: (body, warnings) => agents.note(body, warnings),
    };
  }

  async preflight(tree: Json, context: AnswerContext): Promise<Answer> {
    return performCall(await this.#readPreflight(tree), this.#options, context);
  }

  async count(tree: Json, context: AnswerContext): Promise<Answer> {
    return performCall(await this.#readCount(tree), this.#options, context);
  }

  /** What is known of a model by the name that a request gives it. */
  modelOf(name: string): ResolvedModel | undefined {
    return this.#settings.models.resolve(name);
  }

  async check(tree: Json): Promise<Answer> {
    this.#checkCheck(tree);
    return okAnswer(await checkBody(tree as JsonObject, this.#settings.maxMessages));
  }

  /** Reads a call without doing it. Rejects with what is wrong with the body. */
  read(kind: CallKind, tree: Json): Promise<Call> {
    return kind === 'preflight' ? this.#readPreflight(tree) : this.#readCount(tree);
  }

  async #readPreflight(tree: Json): Promise<PreflightCall | TrimCall> {
    this.#checkPreflight(tree);
    const body = tree as JsonObject;
    if (asksForTrim(body)) return readTrimCall(body, this.#settings);
    refuseTrimOptions(body);
    return readPreflightCall(body, this.#settings);
  }

  async #readCount(tree: Json): Promise<CountCall> {
    this.#checkCount(tree);
    return readCountCall(tree as JsonObject, this.#settings);
  }
}
