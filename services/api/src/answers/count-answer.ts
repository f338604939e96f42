import { type Accounting, totalOf } from '@preflight/accounting';
import type { CountJob, CountResponse, CountResult, Warning } from '@preflight/contracts';
import type { Ledger } from '@preflight/core';
import type { Model } from '@preflight/models';
import { attachmentRows } from '../attachments/attachment-rows.js';
import { attachmentTotal, totalIn } from '../attachments/attachment-totals.js';
import { type BesideFigure, besideRows } from '../attachments/beside-conversation.js';
import { Breakdown, overheadOf } from './breakdown.js';
import { countCost } from './cost.js';
import { kindsIn, messageTokens, type RoleOnly, rowsOf } from './message-rows.js';
import { milliseconds } from './milliseconds.js';
import { textEstimateIn } from './text-estimate.js';
import { textTotal } from './totals.js';

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
