import type { Accounting } from '@preflight/accounting';
import type { CountJob, PreflightResponse, PreflightResult, Warning } from '@preflight/contracts';
import { bytesIn, type Change, changeAt, type Edit, type Fitted } from '@preflight/core';
import { wireBytes } from '@preflight/formats';
import { Turn } from '@preflight/runtime';
import { attachmentRows } from '../attachments/attachment-rows.js';
import type { ConversationRequest } from '../requests/conversation-request.js';
import type { ResolvedEncoding } from '../requests/job.js';
import { Breakdown, overheadOf } from './breakdown.js';
import { leftOut } from './left-out.js';
import { kindsIn, messageTokens, rowsOf } from './message-rows.js';
import { milliseconds } from './milliseconds.js';
import { textEstimateIn } from './text-estimate.js';
import { fittedTotals } from './totals.js';

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
