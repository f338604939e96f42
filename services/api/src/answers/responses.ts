import { type Accounting, totalOf } from '@preflight/accounting';
import type {
  CountJob,
  CountResponse,
  CountResult,
  ListCounter,
  PreflightResponse,
  PreflightResult,
  TrimmedResponse,
  TrimResult,
  Warning,
} from '@preflight/contracts';
import {
  bytesIn,
  type Change,
  changeAt,
  type Edit,
  type Fitted,
  type Ledger,
  type Message,
  trimChanges,
  trimEdits,
  trimHazards,
} from '@preflight/core';
import { wireBytes } from '@preflight/formats';
import type { Model } from '@preflight/models';
import { Turn } from '@preflight/runtime';
import { mediaWarnings } from '../attachments/accounting-warnings.js';
import { attachmentRows } from '../attachments/attachment-rows.js';
import { type BesideFigure, besideRows } from '../attachments/beside-conversation.js';
import type { ConversationRequest, ListRequest } from '../requests/conversation-request.js';
import type { ResolvedEncoding } from '../requests/job.js';
import { Breakdown, overheadOf } from './breakdown.js';
import { countCost } from './cost.js';
import { leftOut } from './left-out.js';
import { textEstimateIn } from './text-estimate.js';
import { attachmentTotal, fittedTotals, textTotal, totalIn } from './totals.js';

/** Body of a conversation that fits, as it is or after edits. */
export async function fittedAnswer(
  id: string,
  read: ConversationRequest,
  job: CountJob & ResolvedEncoding,
  result: PreflightResult & { decision: Fitted },
  options: {
    withConversation: boolean;
    withLeftOutTexts: boolean;
    limits: PreflightResponse['limits'];
    cost: PreflightResponse['cost'];
    accounting: Accounting;
    maxRequestBytes: number | undefined;
    warnings: readonly Warning[];
  },
): Promise<PreflightResponse> {
  const { decision, ledger } = result;
  const turn = new Turn();
  const edits = await turn.drive(read.format.edits(read.request, read.conversation, decision));
  const { maxRequestBytes, withConversation } = options;
  const conversation =
    withConversation || maxRequestBytes !== undefined
      ? await turn.drive(read.format.apply(read.request, leftToApply(edits, read.placed)))
      : undefined;
  const dropped = await leftOut(read.conversation.messages, ledger, decision, options.withLeftOutTexts);
  const edited = new Set(edits.map((edit) => ('index' in edit ? edit.index : undefined)));
  const { tokens } = decision;
  const breakdown = new Breakdown(result.kinds, ledger);
  const attachments = await attachmentRows(result, options.accounting, decision.attachmentNotes);
  const { before, after } = fittedTotals(job, result, decision, options.accounting);
  return {
    id,
    outcome: decision.outcome,
    applied: [...decision.applied],
    max_output_tokens: decision.maxOutputTokens,
    encoding: job.encoding,
    exact: job.isExact,
    tokens: {
      before: tokens.before,
      after: tokens.after,
      budget: tokens.budget,
      context_window: tokens.contextWindow,
      request_overhead: tokens.requestOverhead,
    },
    limits: options.limits,
    ...(options.cost && { cost: options.cost }),
    totals: { before, after },
    ...(maxRequestBytes !== undefined &&
      ledger.bytes &&
      conversation && {
        bytes: {
          before: bytesIn(ledger.bytes),
          after: await turn.drive(wireBytes({ ...read.beside, ...conversation }, read.format)),
          max: maxRequestBytes,
        },
      }),
    messages: await rowsOf(read.conversation.messages, (index) => {
      const { action, reason } = changeIn(decision, index, edited.has(index));
      const tokens_after = decision.tokensAfter[index] as number;
      const row = messageTokens(read.conversation.messages, ledger, index);
      const note = isPlaceOf(read.placed, index) ? SUMMARY_PLACED : reason;
      return { ...row, ...kindsIn(breakdown, index), tokens_after, action, reason: note };
    }),
    ...(attachments.length > 0 && { attachments }),
    ...overheadOf(job, result, breakdown),
    ...textEstimateIn(result),
    ...(dropped && { left_out: dropped }),
    edits: withPlaced(edits, read.placed) as PreflightResponse['edits'],
    ...(withConversation && conversation !== undefined && { conversation }),
    warnings: [...options.warnings, ...decision.flags, ...(read.format.warnings?.(edits) ?? [])],
    timing: {
      queue_ms: milliseconds(result.queueMs),
      count_ms: milliseconds(result.countMs),
      fit_ms: milliseconds(result.fitMs),
    },
    cache: result.cache,
  };
}

/** Why a message that stays has an edit: the caller's summary stands in it, and is counted with it. */
const SUMMARY_PLACED = 'summary_placed';

function isPlaceOf(placed: Edit | undefined, index: number): boolean {
  return placed?.op === 'replace_content' && placed.index === index;
}

/** The edits that `request` does not have yet. */
function leftToApply(edits: readonly Edit[], placed: Edit | undefined): readonly Edit[] {
  return placed?.op === 'insert' ? [placed, ...edits] : edits;
}

/** With the edit that has put a summary into the request, in its place among those that follow from the decision. */
function withPlaced(edits: readonly Edit[], placed: Edit | undefined): readonly Edit[] {
  if (placed === undefined) return edits;
  // A system message at the front comes before all others, and a field behind all messages.
  return placed.op === 'set' ? [...edits, placed] : [placed, ...edits];
}

/** What happened to a message. What no strategy changed and is edited all the same was bound to what did change. */
function changeIn(decision: Fitted, index: number, isEdited: boolean): Change {
  const change = changeAt(decision, index);
  return isEdited && change.action === 'kept' ? UNBOUND : change;
}

const UNBOUND: Change = { action: 'cut', reason: 'bound_to_prefix' };

/** Body of a list that was trimmed as langchain-core does, whatever the hazards. */
export async function trimmedAnswer(
  id: string,
  read: ListRequest,
  counter: ListCounter,
  { decision, ledger, ...result }: TrimResult,
  options: { withConversation: boolean },
): Promise<TrimmedResponse> {
  const { messages, request, format } = read;
  const turn = new Turn();
  const edits = trimEdits(messages, decision);
  const conversation = options.withConversation ? await turn.drive(format.apply(request, edits)) : undefined;
  const changes = trimChanges(messages.length, decision);
  return {
    id,
    outcome: decision.outcome,
    ...(counter.kind === 'tokens' ? { encoding: counter.encoding } : {}),
    exact: counter.kind !== 'approximate',
    tokens: decision.tokens,
    hazards: await turn.drive(trimHazards(messages, decision)),
    messages: await rowsOf(messages, (index) => {
      const row = messageTokens(messages, ledger, index);
      const { action, reason } = changes[index] as Change;
      const wholeTokens = row.content_tokens + row.attachment_tokens + row.other_tokens;
      const leftTokens = action === 'cut' ? (decision.shortened?.tokens ?? 0) : wholeTokens;
      return { ...row, tokens_after: action === 'dropped' ? 0 : leftTokens, action, reason };
    }),
    edits: edits as TrimmedResponse['edits'],
    ...(conversation === undefined ? {} : { conversation }),
    warnings: [],
    timing: {
      queue_ms: milliseconds(result.queueMs),
      count_ms: milliseconds(result.countMs),
      fit_ms: milliseconds(result.trimMs),
    },
    cache: result.cache,
  };
}

/** Body of a counted conversation: the total, and what it is made of. */
export async function countAnswer(
  messages: readonly RoleOnly[],
  job: Partial<CountJob> & { isExact: boolean },
  result: CountResult,
  {
    accounting,
    warnings,
    model,
    beside = [],
  }: {
    accounting: Accounting;
    warnings: readonly Warning[];
    model?: Model | undefined;
    beside?: readonly BesideFigure[];
  },
): Promise<CountResponse> {
  const { ledger } = result;
  const breakdown = new Breakdown(result.kinds, ledger);
  const attachments = [...(await attachmentRows(result, accounting)), ...besideRows(beside)];
  const total = totalOf([
    textTotal(job, result),
    attachmentTotal(result.attachments ?? [], accounting),
    ...beside.map(({ figure }) => totalIn(figure)),
  ]);
  const isRefused = attachments.some(({ tokens }) => tokens === null);
  const tokens = isRefused ? null : tokensOf(ledger) + besideTokens(beside);
  const cost = tokens === null ? undefined : countCost(model, tokens, ledger, accounting);
  return {
    ...total,
    tokens,
    ...(job.encoding === undefined ? {} : { encoding: job.encoding }),
    exact: job.isExact,
    request_overhead: ledger.requestOverheadTokens,
    messages: await rowsOf(messages, (index) => ({
      ...messageTokens(messages, ledger, index),
      ...kindsIn(breakdown, index),
    })),
    ...(attachments.length > 0 && { attachments }),
    ...overheadOf(job, result, breakdown),
    ...(cost && { cost }),
    ...textEstimateIn(result),
    warnings: [...warnings],
    timing: { count_ms: milliseconds(result.countMs) },
    cache: result.cache,
  };
}

function tokensOf({ contentTokens, attachmentTokens, otherTokens, requestOverheadTokens }: Ledger): number {
  const sum = (column: Int32Array) => column.reduce((total, tokens) => total + tokens, 0);
  return sum(contentTokens) + sum(attachmentTokens) + sum(otherTokens) + requestOverheadTokens;
}

function besideTokens(beside: readonly BesideFigure[]): number {
  return beside.reduce((sum, { figure: { tokens } }) => sum + (tokens ?? 0), 0);
}

/** Body of one counted text. */
export function textCountAnswer(
  job: { encoding: string; isExact: boolean },
  result: CountResult,
  { warnings, model }: { warnings: readonly Warning[]; model: Model | undefined },
): CountResponse {
  const tokens = result.ledger.contentTokens[0] as number;
  const cost = countCost(model, tokens, result.ledger, 'payload');
  return {
    ...textTotal(job, result),
    tokens,
    encoding: job.encoding,
    exact: job.isExact,
    ...(cost && { cost }),
    ...textEstimateIn(result),
    warnings: [...warnings],
    timing: { count_ms: milliseconds(result.countMs) },
    cache: result.cache,
  };
}

/** Warnings that follow from what was counted. */
export function countWarnings(result: CountResult, accounting: Accounting): Warning[] {
  const warnings: Warning[] = [];
  if (result.ledger.attachmentTokens.some((tokens) => tokens > 0))
    warnings.push({ code: 'attachment_estimate', detail: ATTACHMENT_ESTIMATES[accounting] });
  warnings.push(...mediaWarnings(result, accounting));
  if (result.emptyAttachments.length > 0)
    warnings.push({
      code: 'empty_attachment',
      detail: `Attachments without bytes, or with a URL that is not sent, in messages ${result.emptyAttachments.slice(0, 20).join(', ')}; counted as they go over the wire.`,
    });
  return warnings;
}

/**
 * Where turns are other than one who knows no pairs would have them, which matters once a strategy was applied: a
 * message of the user between a call and its result begins none.
 */
export function turnWarnings(
  messages: readonly Message[],
  { decision, ledger }: Pick<PreflightResult, 'decision' | 'ledger'>,
): Warning[] {
  if (decision.outcome !== 'refused' && decision.applied.length === 0) return [];
  const inside = messages.flatMap(({ role, results, startsTurn = role === 'user' }, index) =>
    startsTurn && results === undefined && ledger.isUser[index] === 0 ? [index] : [],
  );
  if (inside.length === 0) return [];
  return [
    {
      code: 'turn_within_unit',
      detail: `No turn begins with messages ${inside.slice(0, 20).join(', ')}, which stand between a call and its result: those are kept together.`,
    },
  ];
}

/** Once in every answer in which attachments count (langroid-overflow §7). */
const ATTACHMENT_ESTIMATES: Readonly<Record<Accounting, string>> = {
  payload:
    'Attachments are counted as the text that goes over the wire; providers price media by pixels, pages and seconds.',
  provider:
    'Attachments are counted by what is known of the rules of the provider; `attachments` says how well each figure is known.',
};

/** One row for each message; others get their turn in between. */
async function rowsOf<Row>(messages: readonly RoleOnly[], rowOf: (index: number) => Row): Promise<Row[]> {
  const rows: Row[] = [];
  const turn = new Turn();
  for (let index = 0; index < messages.length; index++) {
    if (index % 1024 === 0) await turn.breathe();
    rows.push(rowOf(index));
  }
  return rows;
}

/** All that an answer says of a message beside numbers. */
type RoleOnly = { readonly role: string };

function messageTokens(messages: readonly RoleOnly[], ledger: Ledger, index: number) {
  return {
    index,
    role: messages[index]?.role as string,
    content_tokens: ledger.contentTokens[index] as number,
    attachment_tokens: ledger.attachmentTokens[index] as number,
    other_tokens: ledger.otherTokens[index] as number,
  };
}

function kindsIn(breakdown: Breakdown, index: number) {
  const kinds = breakdown.ofMessage(index);
  return kinds && { kinds };
}

function milliseconds(value: number): number {
  return Math.round(value * 100) / 100;
}
