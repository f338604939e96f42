import type { Warning, Work } from '@preflight/contracts';
import { countRequest, preflightRequest } from '@preflight/contracts';
import { isAbsent, type Json, type JsonObject, PreflightError, type TextRef } from '@preflight/core';
import { FLAT_FIELDS } from '@preflight/formats';
import { type Log, OncePerKey } from '@preflight/runtime';
import { type Answer, okAnswer } from './answer.js';
import { readConversation } from './conversation-request.js';
import { countJob, modelName, preflightJob, resolveEncoding, unknownModelWarning } from './job.js';
import { type ProblemContext, refusalProblem } from './problems.js';
import { countAnswer, countWarnings, fittedAnswer, textCountAnswer } from './responses.js';
import { schemaCheck } from './schema-check.js';

export interface AnswerContext extends ProblemContext {
  readonly signal: AbortSignal;
}

export interface AnswererOptions {
  readonly work: Work;
  readonly log: Log;
  readonly maxMessages: number;
  readonly defaultContextWindowTokens: number | undefined;
}

/** Agents that are remembered as warned; forgetting one costs a second line in the log. */
const AGENTS_REMEMBERED = 10_000;

/**
 * What the two main calls answer, apart from how bodies come and go: HTTP routes and the command line use the same.
 * Bodies are JSON trees of `parseBody`. Rejects with PreflightError; a conversation that cannot fit is an answer.
 */
export class Answerer {
  readonly #options: AnswererOptions;
  readonly #checkPreflight = schemaCheck(preflightRequest);
  readonly #checkCount = schemaCheck(countRequest);
  readonly #warnedAgents = new OncePerKey(AGENTS_REMEMBERED);

  constructor(options: AnswererOptions) {
    this.#options = options;
  }

  async preflight(tree: Json, context: AnswerContext): Promise<Answer> {
    this.#checkPreflight(tree);
    const body = tree as JsonObject;
    const read = readConversation(body, this.#options.maxMessages);
    const counted = countJob(body, read.request, read.conversation);
    const job = preflightJob(body, counted, read.request, this.#options.defaultContextWindowTokens);
    const result = await this.#options.work.preflight(job, context.signal).catch((error: unknown) => {
      throw below(read.pointerPrefix, error);
    });
    const warnings = [...unknownModelWarning(body, job.model, true), ...countWarnings(result)];
    this.#logOncePerAgent(body, warnings);
    const { decision } = result;
    if (decision.outcome === 'refused') return refusalProblem(decision, warnings, context);
    const withConversation = body.return === 'conversation';
    return okAnswer(
      await fittedAnswer(
        context.requestId,
        read,
        counted,
        { ...result, decision },
        { withConversation, warnings },
      ),
    );
  }

  async count(tree: Json, context: AnswerContext): Promise<Answer> {
    this.#checkCount(tree);
    const body = tree as JsonObject;
    if (body.text !== undefined) return this.#countText(body, context);
    const read = readConversation(body, this.#options.maxMessages);
    const job = countJob(body, read.request, read.conversation);
    const result = await this.#options.work.count(job, context.signal).catch((error: unknown) => {
      throw below(read.pointerPrefix, error);
    });
    const warnings = [...unknownModelWarning(body, job.model, false), ...countWarnings(result)];
    this.#logOncePerAgent(body, warnings);
    return okAnswer(await countAnswer(read.conversation, job, result, warnings));
  }

  async #countText(body: JsonObject, { signal }: AnswerContext): Promise<Answer> {
    const beside = ['request', ...FLAT_FIELDS].filter((name) => !isAbsent(body[name]));
    if (beside.length > 0)
      throw new PreflightError('invalid_request', {
        publicDetail: 'Give a text or a conversation, not both.',
        issues: beside.map((name) => ({ pointer: `/${name}`, detail: 'must not stand beside `text`' })),
      });
    const model = modelName(body);
    const { encoding, isExact } = resolveEncoding(model, body.encoding as string | undefined);
    const result = await this.#options.work.countText({ text: body.text as TextRef, encoding }, signal);
    return okAnswer(textCountAnswer({ encoding, isExact }, result, unknownModelWarning(body, model, false)));
  }

  /** The answer says it every time; the log needs it once for each agent. */
  #logOncePerAgent(body: JsonObject, warnings: readonly Warning[]): void {
    if (!warnings.some(({ code }) => code === 'attachment_estimate')) return;
    const agent = typeof body.agent === 'string' ? body.agent : '';
    if (this.#warnedAgents.isFirst(agent))
      this.#options.log.warn(
        { code: 'attachment_estimate', agent },
        'attachments count as text for this agent',
      );
  }
}

/** Pointers of a conversation start at the provider's request; in the body it may stand deeper. */
function below(prefix: string, error: unknown): unknown {
  if (prefix === '' || !(error instanceof PreflightError) || error.issues === undefined) return error;
  const issues = error.issues.map(({ pointer, detail }) => ({ pointer: prefix + pointer, detail }));
  return new PreflightError(error.code, { ...error, issues, cause: error });
}
