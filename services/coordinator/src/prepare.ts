import type { CountJob, ListJob, PreflightJob, TrimJob } from '@preflight/contracts';
import { MARK, STRATEGIES, type Strategy, type TextRange } from '@preflight/core';
import type { Pool, WorkOptions } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import type { CountCache, PayloadStore } from '@preflight/storage';
import { attachmentFacts } from './attachments/attachment-facts.js';
import { attachmentNames } from './attachments/attachment-names.js';
import { plannedCopies } from './attachments/planned-copies.js';
import { priceAttachments, pricedColumn } from './attachments/price-attachments.js';
import { atPlaceIn, type ContentTexts, type CountPlan, planCounts } from './count-plan.js';
import { knownEncoding } from './counts/known-counts.js';
import type { MediaFactsOptions } from './facts/media-facts.js';
import type { LedgerPlan } from './ledger-plan.js';
import { prepareList } from './lists/prepare-list.js';
import type { Prepared } from './prepared.js';
import { distinctTexts, type RequestText } from './texts/distinct-texts.js';
import { type Identified, identify, keysOf } from './texts/identify.js';
import { HeldText } from './texts/keyed-text.js';
import { StoredTexts } from './texts/stored-text.js';
import { textOfEach } from './texts/text-of-each.js';

/** Reads no long text on this thread. Rejects with `unknown_encoding`, `invalid_base64` (with its place) and the pool's codes. */
export async function prepare(
  stores: { readonly pool: Pool; readonly cache: CountCache; readonly payloads: PayloadStore },
  job: CountJob | ListJob | PreflightJob | TrimJob,
  options: WorkOptions,
): Promise<Prepared<RequestText>> {
  const { pool, payloads } = stores;
  if ('counter' in job) return prepareList(pool, job, options);
  const encoding = knownEncoding(job.encoding);
  const turn = new Turn();
  const plan = await turn.drive(planCounts(job));
  const identified = await identify(pool, encoding, plan.countables, options).catch((error: unknown) => {
    throw atPlaceIn(plan, error);
  });
  const digests = payloadDigests(identified);
  const [{ texts, parts }, ledger] = await Promise.all([
    distinctTexts(identified, new StoredTexts({ pool, payloads })),
    pricedLedger(stores, plan, job, { ...options, encoding, digests }),
  ]);
  if (!('fit' in job)) return { encoding, texts, parts, ledger, fit: undefined, trimming: undefined };

  const textOf = await textOfEach(parts, plan.countables.length);
  const contents: ContentTexts = {
    starts: plan.contents.starts,
    texts: plan.contents.texts.map((owner) => (owner < 0 ? -1 : (textOf[owner] as number))),
  };
  const marker = texts.length;
  texts.push(new HeldText(keysOf(encoding).ofText(MARK), [MARK]));
  return {
    encoding,
    texts,
    parts,
    ledger: { ...ledger, bytes: job.bytes },
    fit: { options: job.fit, contents, marker },
    trimming: undefined,
  };
}

/** By the texts that the payloads stand in. */
function payloadDigests(identified: readonly Identified[]): Map<TextRange, string> {
  const digests = new Map<TextRange, string>();
  for (const { attached, hex } of identified) if (attached && hex) digests.set(attached, hex);
  return digests;
}

/** The plan's ledger, with what the provider makes of attachments, and which of them are the same where somebody asks. */
async function pricedLedger(
  stores: Parameters<typeof prepare>[0],
  { ledger, attachments: planned }: CountPlan,
  job: CountJob | PreflightJob,
  options: MediaFactsOptions,
): Promise<LedgerPlan> {
  const { media, estimate } = job;
  if (planned.length === 0) return ledger;
  const facts = media && (await attachmentFacts(stores, planned, media, options));
  const pricing = media && { pricing: media, estimate };
  const attachments = facts && pricing && (await priceAttachments(planned, facts, pricing, new Turn()));
  const attachmentTokens = attachments && media && pricedColumn(attachments, ledger.isUser.length, media);
  const copies = asksForCopies(job)
    ? await plannedCopies(planned, await attachmentNames(stores.pool, planned, options), attachments, media)
    : [];
  return {
    ...ledger,
    ...(attachments && { attachments }),
    ...(attachmentTokens && { attachmentTokens }),
    ...(copies.length > 0 && { copies }),
  };
}

/** Files are compared only for who wants one of each: all that are alike have to be read for it. */
function asksForCopies(job: CountJob | PreflightJob): boolean {
  return (
    'fit' in job && job.fit.strategies.some((name) => (STRATEGIES[name] as Strategy).comparesAttachments)
  );
}
