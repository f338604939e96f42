import type { ListJob, TrimJob } from '@preflight/contracts';
import { type ListCosts, type ListedMessage, lengthCosts, planApproximate, startTrim } from '@preflight/core';
import { ENCODING_NAMES, type EncodingName, type Pool, type WorkOptions } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import { knownEncoding } from '../counts/known-counts.js';
import type { LedgerPlan } from '../ledger-plan.js';
import type { Prepared } from '../prepared.js';
import { distinctTexts, type RequestText } from '../texts/distinct-texts.js';
import { identify } from '../texts/identify.js';
import { textOfEach } from '../texts/text-of-each.js';
import { listLedger } from './list-ledger.js';
import { planTokens } from './token-plan.js';
import type { TrimOutcome } from './trim-task.js';

/** No text is counted with it. */
const ANY_ENCODING: EncodingName = ENCODING_NAMES[0] as EncodingName;

/**
 * A list, prepared. What counts tokens is performed like any request. The other counters need no more than the lengths
 * of texts, which are sooner measured than hashed: that is done here, and the trim decided with it.
 */
export async function prepareList(
  pool: Pool,
  job: ListJob | TrimJob,
  options: WorkOptions,
): Promise<Prepared<RequestText>> {
  const { messages, counter } = job;
  if (counter.kind === 'tokens') return prepareTokens(pool, job, counter, options);
  const startMs = performance.now();
  const { costs, ...ledger } =
    counter.kind === 'length' ? lengthLedger(messages) : await measure(pool, messages, options);
  return {
    encoding: ANY_ENCODING,
    texts: [],
    parts: { texts: new Int32Array(), owners: new Int32Array(), isEdge: new Uint8Array() },
    ledger: {
      columns: new Uint8Array(),
      messages: new Int32Array(),
      signs: new Int8Array(),
      ...listLedger(messages),
      ...ledger,
    },
    fit: undefined,
    trimming: 'options' in job ? await decide(pool, job, costs, startMs, options) : undefined,
  };
}

async function prepareTokens(
  pool: Pool,
  job: ListJob | TrimJob,
  counter: ListJob['counter'] & { kind: 'tokens' },
  options: WorkOptions,
): Promise<Prepared<RequestText>> {
  const encoding = knownEncoding(counter.encoding);
  const plan = await new Turn().drive(planTokens(job.messages, counter.perMessageTokens));
  const { texts, parts } = await distinctTexts(await identify(pool, encoding, plan.countables, options));
  const prepared = { encoding, texts, parts, ledger: plan.ledger, fit: undefined };
  if (!('options' in job)) return { ...prepared, trimming: undefined };
  const textOf = await textOfEach(parts, plan.countables.length);
  const { columns, partTokens, partCountables } = plan;
  const partTexts = partCountables.map((owner) => (owner < 0 ? -1 : (textOf[owner] as number)));
  return { ...prepared, trimming: { ...columns, options: job.options, partTexts, partTokens } };
}

type LengthLedger = Pick<LedgerPlan, 'contentTokens' | 'attachmentTokens' | 'otherTokens'> & {
  readonly costs: ListCosts;
};

function lengthLedger(messages: readonly ListedMessage[]): LengthLedger {
  const costs = lengthCosts(messages);
  return { costs, otherTokens: costs.tokens };
}

async function measure(
  pool: Pool,
  messages: readonly ListedMessage[],
  options: WorkOptions,
): Promise<LengthLedger> {
  const plan = await new Turn().drive(planApproximate(messages));
  const lengths = await pool.measureAll(plan.texts, options);
  const { costs, attachmentTokens, otherTokens } = plan.finish(lengths);
  const contentTokens = costs.tokens.map(
    (tokens, index) => tokens - (attachmentTokens[index] as number) - (otherTokens[index] as number),
  );
  return { costs, contentTokens, attachmentTokens, otherTokens };
}

async function decide(
  pool: Pool,
  { messages, options: trimOptions }: TrimJob,
  costs: ListCosts,
  startMs: number,
  options: WorkOptions,
): Promise<TrimOutcome> {
  const { step, decide } = startTrim(costs, trimOptions);
  if (step.type === 'decided') return { decision: step.decision, trimMs: performance.now() - startMs };
  const text = messages[step.index]?.parts[step.part]?.text ?? '';
  const kept = await pool.keepPieces(undefined, text, step, options);
  return { decision: decide(kept), trimMs: performance.now() - startMs };
}
