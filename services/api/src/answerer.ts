import { ACCOUNTING_RULES, type Gate, rulesForModel, type StatedMedia } from '@preflight/accounting';
import type { CountJob, PreflightJob, PreflightRequest, Warning, Work } from '@preflight/contracts';
import { checkRequest, countRequest, preflightRequest } from '@preflight/contracts';
import { isAbsent, type Json, type JsonObject, PreflightError, type TextRef } from '@preflight/core';
import { FLAT_FIELDS, measureBytes } from '@preflight/formats';
import { MODEL_CATALOG, type ModelCatalog, type ResolvedModel } from '@preflight/models';
import { type Log, type Metrics, OncePerKey, Turn } from '@preflight/runtime';
import { type Answer, okAnswer } from './answers/answer.js';
import { preflightCost } from './answers/cost.js';
import { countAnswer, textCountAnswer } from './answers/count-answer.js';
import { fittedAnswer } from './answers/fitted-answer.js';
import { limitsReport } from './answers/limits-report.js';
import { trimmedAnswer } from './answers/trimmed-answer.js';
import { burdenOf } from './attachments/attachment-rows.js';
import { besideFigures, statedBeside } from './attachments/beside-conversation.js';
import {
  accountingOf,
  mediaPricing,
  type PricingDefaults,
  type PricingOptions,
} from './attachments/media-pricing.js';
import type { Calibrations } from './calibrations/calibrations.js';
import {
  type Call,
  type CallKind,
  type CountCall,
  type PreflightCall,
  performCall,
  type TrimCall,
} from './call.js';
import { checkBody } from './check.js';
import { type ProblemContext, refusalProblem } from './problems/problems.js';
import { type AskedModel, askedModel, modelWarnings } from './requests/asked-model.js';
import { type ConversationRequest, readConversation, readList } from './requests/conversation-request.js';
import {
  countJob,
  emptyJob,
  preflightJob,
  type ResolvedEncoding,
  resolveEncoding,
  textJob,
} from './requests/job.js';
import { asksForTrim, refuseOthers, refuseTrimOptions, trimJob } from './requests/list-job.js';
import { askedOutputTokens, suggestedOutput } from './requests/output-plan.js';
import { schemaCheck } from './requests/schema-check.js';
import { otherAccountingWarning } from './warnings/accounting-warning.js';
import { base64Warning } from './warnings/base64-warning.js';
import { countWarnings } from './warnings/count-warnings.js';
import { illFormedTextWarning, illFormedWarning } from './warnings/ill-formed-warning.js';
import { pairWarnings } from './warnings/pair-warnings.js';
import { providerStateWarning } from './warnings/provider-state-warning.js';
import { turnWarnings } from './warnings/turn-warnings.js';

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

/** An estimate is not to be found too low by the provider. */
const DEFAULT_GATE: Gate = 'high';

const DEFAULT_PRICING: PricingDefaults = { accounting: 'payload', rules: ACCOUNTING_RULES };

/** Agents that are remembered as warned; forgetting one costs a second line in the log. */
const AGENTS_REMEMBERED = 10_000;

/**
 * What the calls about conversations answer, apart from how bodies come and go: HTTP routes and the command line use the same.
 * Bodies are JSON trees of `parseBody`. Rejects with PreflightError; a conversation that cannot fit is an answer.
 */
export class Answerer {
  readonly #options: AnswererOptions;
  readonly #models: ModelCatalog;
  readonly #pricing: PricingDefaults;
  readonly #checkPreflight = schemaCheck(preflightRequest);
  readonly #checkCount = schemaCheck(countRequest);
  readonly #checkCheck = schemaCheck(checkRequest);
  readonly #warnedAgents = new OncePerKey(AGENTS_REMEMBERED);

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.#models = options.models ?? MODEL_CATALOG;
    this.#pricing = options.pricing ?? DEFAULT_PRICING;
  }

  async preflight(tree: Json, context: AnswerContext): Promise<Answer> {
    return performCall(await this.#readPreflight(tree), this.#options, context);
  }

  async count(tree: Json, context: AnswerContext): Promise<Answer> {
    return performCall(await this.#readCount(tree), this.#options, context);
  }

  /** What is known of a model by the name that a request gives it. */
  modelOf(name: string): ResolvedModel | undefined {
    return this.#models.resolve(name);
  }

  async check(tree: Json): Promise<Answer> {
    this.#checkCheck(tree);
    return okAnswer(await checkBody(tree as JsonObject, this.#options.maxMessages));
  }

  /** Reads a call without doing it. Rejects with what is wrong with the body. */
  read(kind: CallKind, tree: Json): Promise<Call> {
    return kind === 'preflight' ? this.#readPreflight(tree) : this.#readCount(tree);
  }

  async #readPreflight(tree: Json): Promise<PreflightCall | TrimCall> {
    this.#checkPreflight(tree);
    const body = tree as JsonObject;
    if (asksForTrim(body)) return this.#readTrim(body);
    refuseTrimOptions(body);
    const read = await new Turn().drive(readConversation(body, this.#options.maxMessages));
    const model = askedModel(this.#models, body, read.request);
    const gate = (body.gate ?? DEFAULT_GATE) as Gate;
    const counted = await this.#countJob(body, read, model, { gate });
    const accounting = accountingOf(body, this.#pricing);
    const fit = preflightJob(body, counted, read, model, this.#options.defaultContextWindowTokens);
    const job = { ...fit, ...(await bytesOf(read, fit)) };
    return {
      kind: 'preflight',
      job,
      pointerPrefix: read.pointerPrefix,
      answer: async (result, context) => {
        const warnings = [
          ...modelWarnings(body, model, true),
          ...providerStateWarning(read),
          ...countWarnings(result, accounting),
          ...otherAccountingWarning(job, result),
          ...base64Warning(read.conversation.messages),
          ...(await new Turn().drive(illFormedWarning(read.conversation))),
          ...turnWarnings(read.conversation.messages, result),
        ];
        this.#logOncePerAgent(body, warnings);
        const { decision } = result;
        const asked = body as unknown as PreflightRequest;
        if (decision.outcome === 'refused') {
          const { historyTokensBefore: before, historyTokensAfter: after } = decision.figures;
          const limits = limitsReport(asked, read, model, job.fit, { before, after });
          const burden = await burdenOf(result, accounting);
          return refusalProblem(decision, limits, { ...burden, warnings }, context);
        }
        const fitted = { ...result, decision };
        const suggestion = suggestedOutput(asked, read, model, decision.maxOutputTokens);
        const options = {
          withConversation: body.return === 'conversation',
          withLeftOutTexts: body.left_out_texts === true,
          accounting,
          maxRequestBytes: job.fit.maxRequestBytes,
          limits: limitsReport(asked, read, model, job.fit, decision.tokens, suggestion),
          cost: preflightCost(
            model.known?.model,
            decision,
            result.ledger,
            askedOutputTokens(job.fit),
            accounting,
          ),
          warnings: suggestion ? [...warnings, suggestion.warning] : warnings,
        };
        return okAnswer(await fittedAnswer(context.requestId, read, counted, fitted, options));
      },
    };
  }

  async #readTrim(body: JsonObject): Promise<TrimCall> {
    const read = await new Turn().drive(readList(body, this.#options.maxMessages));
    const job = trimJob(body, read.messages);
    const withConversation = body.return === 'conversation';
    return {
      kind: 'list',
      job,
      pointerPrefix: read.pointerPrefix,
      answer: async (result, { requestId }) =>
        okAnswer(await trimmedAnswer(requestId, read, job.counter, result, { withConversation })),
    };
  }

  async #readCount(tree: Json): Promise<CountCall> {
    this.#checkCount(tree);
    const body = tree as JsonObject;
    if (body.text !== undefined) return this.#readTextCount(body);
    if (body.token_counter !== undefined) return this.#readApproximateCount(body);
    const accounting = accountingOf(body, this.#pricing);
    const stated = statedBeside(body, accounting);
    if (!hasConversation(body)) {
      if (stated.length === 0) throw nothingToCount(body);
      return this.#readStatedCount(body, stated);
    }
    const read = await new Turn().drive(readConversation(body, this.#options.maxMessages));
    const { conversation, pointerPrefix } = read;
    const model = askedModel(this.#models, body, read.request);
    // What is counted is the best single number; nothing is gated by it.
    const job = await this.#countJob(body, read, model, { gate: 'point', beside: stated });
    return {
      kind: 'count',
      job,
      pointerPrefix,
      answer: async (result) => {
        const warnings = [
          ...modelWarnings(body, model, false),
          ...providerStateWarning(read),
          ...countWarnings(result, accounting),
          ...base64Warning(conversation.messages),
          ...(await new Turn().drive(illFormedWarning(conversation))),
          ...pairWarnings(result.ledger),
        ];
        this.#logOncePerAgent(body, warnings);
        const rules = rulesForModel(this.#pricing.rules.media, job.model, read.format.name);
        const beside = besideFigures(stated, rules, result.attachments);
        return okAnswer(
          await countAnswer(conversation.messages, job, result, {
            accounting,
            warnings,
            beside,
            model: model.known?.model,
          }),
        );
      },
    };
  }

  /** Attachments alone, of which the caller states what they are. */
  #readStatedCount(body: JsonObject, stated: readonly StatedMedia[]): CountCall {
    const model = askedModel(this.#models, body, undefined);
    const resolved = this.#encodingOf(body, model);
    const rules = rulesForModel(this.#pricing.rules.media, model.name, body.format as string | undefined);
    const beside = besideFigures(stated, rules);
    return {
      kind: 'count',
      job: emptyJob(resolved),
      pointerPrefix: '',
      answer: async (result) => {
        const warnings = modelWarnings(body, model, false);
        return okAnswer(
          await countAnswer([], resolved, result, {
            accounting: 'provider',
            warnings,
            beside,
            model: model.known?.model,
          }),
        );
      },
    };
  }

  /** What is to be counted of a conversation, and how its attachments are. */
  async #countJob(
    body: JsonObject,
    read: ConversationRequest,
    model: AskedModel,
    options: Omit<PricingOptions, 'defaults'>,
  ): Promise<CountJob & ResolvedEncoding> {
    const job = await this.#learned(countJob(body, read, model, this.#pricing.rules), model);
    const pricing = { ...options, defaults: this.#pricing };
    const media = await new Turn().drive(mediaPricing(body, read, job.model, pricing));
    return { ...job, ...(media && { media }) };
  }

  async #readApproximateCount(body: JsonObject): Promise<CountCall> {
    refuseOthers(body, ['token_counter']);
    const { messages, pointerPrefix } = await new Turn().drive(readList(body, this.#options.maxMessages));
    return {
      kind: 'count',
      job: { messages, counter: { kind: 'approximate' } },
      pointerPrefix,
      answer: async (result) =>
        okAnswer(
          await countAnswer(messages, { isExact: false }, result, { accounting: 'payload', warnings: [] }),
        ),
    };
  }

  async #readTextCount(body: JsonObject): Promise<CountCall> {
    const beside = ['request', 'token_counter', 'attachments', ...FLAT_FIELDS].filter(
      (name) => !isAbsent(body[name]),
    );
    if (beside.length > 0)
      throw new PreflightError('invalid_request', {
        publicDetail: 'A text is counted alone: nothing else to be counted may stand beside it.',
        issues: beside.map((name) => ({ pointer: `/${name}`, detail: 'must not stand beside `text`' })),
      });
    const model = askedModel(this.#models, body, undefined);
    const resolved = await this.#learned(this.#encodingOf(body, model), model);
    return {
      kind: 'count',
      job: textJob(body.text as TextRef, resolved),
      pointerPrefix: '',
      answer: async (result) =>
        okAnswer(
          textCountAnswer(resolved, result, {
            warnings: [
              ...modelWarnings(body, model, false),
              ...(await new Turn().drive(illFormedTextWarning(body.text as TextRef))),
            ],
            model: model.known?.model,
          }),
        ),
    };
  }

  #encodingOf({ encoding }: JsonObject, model: AskedModel): ResolvedEncoding {
    return resolveEncoding(model, encoding as string | undefined, { rules: this.#pricing.rules });
  }

  /** With what was learned of the model in place of its rule. */
  async #learned<Resolved extends ResolvedEncoding>(
    resolved: Resolved,
    { name }: AskedModel,
  ): Promise<Resolved> {
    const { calibrations } = this.#options;
    const { estimate } = resolved;
    if (calibrations === undefined || estimate === undefined || name === undefined) return resolved;
    return { ...resolved, estimate: await calibrations.learned(name, estimate) };
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

/** Whether a checked body has a request in it, nested or flat. */
function hasConversation(body: JsonObject): boolean {
  return ['request', ...FLAT_FIELDS].some((name) => !isAbsent(body[name]));
}

/** What is missing in a checked body that has nothing to be counted. */
function nothingToCount({ attachments }: JsonObject): PreflightError {
  const [first] = (attachments ?? []) as readonly Json[];
  const issue =
    attachments === undefined
      ? { pointer: '/messages', detail: 'is missing, and so are /request, /text and /attachments' }
      : first === undefined
        ? { pointer: '/attachments', detail: 'is empty, and there is no conversation' }
        : { pointer: '/attachments/0/pointer', detail: 'points into a conversation, and there is none' };
  return new PreflightError('invalid_request', {
    publicDetail:
      "There is nothing to count: give `messages`, the provider's request under `request`, a `text`, or `attachments` with what is known of them.",
    issues: [issue],
  });
}

/** What the request has in bytes, where there is a budget of them; else nobody measures it. */
async function bytesOf(
  read: ConversationRequest,
  { fit }: PreflightJob,
): Promise<Pick<PreflightJob, 'bytes'>> {
  if (fit.maxRequestBytes === undefined) return {};
  return { bytes: await new Turn().drive(measureBytes(read)) };
}
