import {
  ACCOUNTING_RULES,
  type AccountingRules,
  overheadRuleFor,
  textEstimateFor,
} from '@preflight/accounting';
import type { CountJob, PreflightJob, PreflightRequest, WindowRequest } from '@preflight/contracts';
import {
  ATTACHMENT_POLICIES,
  type Conversation,
  DEFAULT_STRATEGY,
  DEFAULT_WINDOW,
  type FitOptions,
  type FitStrategy,
  type JsonObject,
  type Message,
  PreflightError,
  STRATEGIES,
  type TextEstimate,
  type TextRef,
  type WindowOptions,
} from '@preflight/core';
import { STAND_IN_ENCODING } from '@preflight/models';
import { encodingNames, isEncodingName } from '@preflight/pool';
import { type AskedModel, windowRequired } from './asked-model.js';
import type { ConversationRequest } from './conversation-request.js';
import { limitsOf } from './output-plan.js';

export interface ResolvedEncoding {
  readonly encoding: string;
  /** The encoding is the model's own, or the caller's choice. */
  readonly isExact: boolean;
  /** Where it is not: how the model's tokens follow from counts in the encoding. */
  readonly estimate?: TextEstimate | undefined;
}

export interface EncodingOptions {
  /** Where the option stands. */
  readonly pointer?: string;
  /** By which texts are estimated; default: what is shipped. */
  readonly rules?: AccountingRules;
}

/** The encoding to count with: the option, else the model's, else a stand-in. Throws `unknown_encoding`. */
export function resolveEncoding(
  { name, known }: Pick<AskedModel, 'name' | 'known'>,
  encoding: string | undefined,
  { pointer = '/encoding', rules = ACCOUNTING_RULES }: EncodingOptions = {},
): ResolvedEncoding {
  if (encoding !== undefined) {
    if (isEncodingName(encoding)) return { encoding, isExact: true };
    throw new PreflightError('unknown_encoding', {
      publicDetail: `Unknown encoding; known are ${encodingNames().join(', ')}.`,
      issues: [{ pointer, detail: 'is not a known encoding' }],
    });
  }
  if (known?.model.exactEncoding) return { encoding: known.model.encoding, isExact: true };
  return {
    encoding: known?.model.encoding ?? STAND_IN_ENCODING,
    isExact: false,
    estimate: textEstimateFor(known?.model.id ?? name, rules.textRatios),
  };
}

/** What is to be counted, with every default filled in. */
export function countJob(
  body: JsonObject,
  { format, conversation }: Pick<ConversationRequest, 'format' | 'conversation'>,
  asked: AskedModel,
  rules: AccountingRules = ACCOUNTING_RULES,
): CountJob & ResolvedEncoding {
  const count = (body.count ?? 'request') as CountJob['count'];
  const family = asked.known?.model.family;
  return {
    conversation,
    model: asked.name,
    family,
    overheadRule: overheadRuleFor(family, asked.name, rules.overhead),
    ...resolveEncoding(asked, body.encoding as string | undefined, { rules }),
    count,
    ...(format.isLiteral && count === 'content' ? { isLiteral: true } : {}),
  };
}

/** One text, counted as the content of a conversation of one message. */
export function textJob(text: TextRef, resolved: ResolvedEncoding): CountJob {
  return contentJob([{ role: 'user', texts: [text], attachments: [] }], resolved);
}

/** Nothing to be counted, where all is known from what the caller states. */
export function emptyJob(resolved: ResolvedEncoding): CountJob {
  return contentJob([], resolved);
}

function contentJob(messages: Conversation['messages'], resolved: ResolvedEncoding): CountJob {
  return {
    conversation: { messages, protectedCount: 0, tools: [] },
    model: undefined,
    family: undefined,
    ...resolved,
    count: 'content',
  };
}

/**
 * What is to be made to fit, with every default filled in (`design.md` §7). Explicit options win over the catalog.
 * Throws `context_window_required` where no window is known and no budget given: a guess would destroy history or
 * overflow.
 */
export function preflightJob(
  body: JsonObject,
  counted: CountJob,
  read: Pick<ConversationRequest, 'format' | 'request'>,
  asked: AskedModel,
  defaultContextWindowTokens: number | undefined,
): PreflightJob {
  const options = body as unknown as PreflightRequest;
  const limits = limitsOf(options, read, asked, defaultContextWindowTokens);
  if (limits.contextWindowTokens === null && options.budget_tokens === undefined) throw windowRequired(asked);
  const strategies = strategiesOf(options);
  return {
    ...counted,
    isLiteral: counted.isLiteral === true && strategies.every((name) => STRATEGIES[name].isLiteral),
    fit: {
      strategies,
      ...limits,
      ...(options.budget_tokens === undefined ? {} : { budgetTokens: options.budget_tokens }),
      ...(options.max_request_bytes === undefined ? {} : { maxRequestBytes: options.max_request_bytes }),
      ...attachmentOptions(read.format, counted.conversation.messages),
      ...strategyOptions(options, strategies, counted.conversation.messages.length),
    },
  };
}

/** Where notes may stand in the place of attachments. */
function attachmentOptions(
  { canNoteAttachments }: ConversationRequest['format'],
  messages: readonly Message[],
): Pick<FitOptions, 'canNoteAttachments' | 'fixedAttachments'> {
  if (!canNoteAttachments) return {};
  const fixedAttachments = messages.flatMap(({ keepsAttachments }, index) =>
    keepsAttachments ? [index] : [],
  );
  return { canNoteAttachments, ...(fixedAttachments.length > 0 && { fixedAttachments }) };
}

function strategiesOf({
  strategy = DEFAULT_STRATEGY,
  attachments,
}: PreflightRequest): readonly FitStrategy[] {
  // The strict mode, of which there is no list, is no stage of a fit and does not come here.
  const named = strategy as FitStrategy | FitStrategy[];
  const strategies = Array.isArray(named) ? named : [named];
  const first = typeof attachments === 'string' ? ATTACHMENT_POLICIES[attachments] : undefined;
  return first === undefined ? strategies : [...new Set([first, ...strategies])];
}

/**
 * Options of single strategies. Throws `invalid_request` where they name messages that are not there, or where none of
 * the strategies would look at them.
 */
function strategyOptions(
  { summary_tokens, pins, truncate, trim }: PreflightRequest,
  strategies: readonly FitStrategy[],
  messageCount: number,
): Pick<FitOptions, 'summaryTokens' | 'pins' | 'isMaxMin' | 'weights' | 'cutSides' | 'window'> {
  if (trim) refuseUnused('/trim', [STRATEGIES.trim.name], strategies);
  // What a cut keeps also holds where a window is shortened.
  const { cut, ...shares } = truncate ?? {};
  if (cut) refuseUnused('/truncate/cut', [STRATEGIES.truncate.name, STRATEGIES.trim.name], strategies);
  for (const name of Object.keys(shares))
    refuseUnused(`/truncate/${name}`, [STRATEGIES.truncate.name], strategies);
  refuseMissing(pins ?? [], '/pins', messageCount);
  const weights = truncate?.weights;
  refuseMissing(
    (weights ?? []).map(({ index }) => index),
    '/truncate/weights',
    messageCount,
  );
  return {
    ...(summary_tokens && { summaryTokens: summary_tokens }),
    ...(pins && { pins }),
    ...(truncate?.max_min && { isMaxMin: true }),
    ...(weights && weights.length > 0 && { weights }),
    ...(truncate?.cut && { cutSides: truncate.cut }),
    ...(trim && { window: windowOf(trim) }),
  };
}

/** An option that is ignored would leave its caller with a result that was not asked for. */
function refuseUnused(
  pointer: string,
  users: readonly FitStrategy[],
  strategies: readonly FitStrategy[],
): void {
  if (users.some((user) => strategies.includes(user))) return;
  const detail = `goes with the strategy ${users.map((user) => `\`${user}\``).join(' or ')} only`;
  throw new PreflightError('invalid_request', {
    publicDetail: `An option ${detail}.`,
    issues: [{ pointer, detail }],
  });
}

function refuseMissing(indices: readonly number[], pointer: string, messageCount: number): void {
  const position = indices.findIndex((index) => index >= messageCount);
  if (position === -1) return;
  throw new PreflightError('invalid_request', {
    issues: [
      {
        pointer: `${pointer}/${position}`,
        detail: `names a message that is not there: there are ${messageCount}`,
      },
    ],
  });
}

function windowOf({
  start_on,
  end_on,
  pin_newest_user = DEFAULT_WINDOW.pinsNewestUser,
  shorten = DEFAULT_WINDOW.shortens,
  repair = DEFAULT_WINDOW.repairs,
}: WindowRequest): WindowOptions {
  return {
    ...(start_on === undefined ? {} : { startOn: [start_on].flat() }),
    ...(end_on === undefined ? {} : { endOn: [end_on].flat() }),
    pinsNewestUser: pin_newest_user,
    shortens: shorten,
    repairs: repair,
  };
}
