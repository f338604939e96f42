import type { CountJob, PreflightJob } from '@preflight/contracts';
import { MARK } from '@preflight/core';
import type { EncodingName, Pool, WorkOptions } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import type { PayloadStore } from '@preflight/storage';
import { atPlaceIn, type ContentTexts, planCounts } from './count-plan.js';
import { type DistinctTexts, distinctTexts, type RequestText } from './distinct-texts.js';
import { identify, keysOf } from './identify.js';
import { HeldText, type KeyedText } from './keyed-text.js';
import { knownEncoding } from './known-counts.js';
import type { LedgerPlan } from './ledger-plan.js';
import { StoredTexts } from './stored-text.js';

/**
 * A request, read and identified: the texts to be counted, each once and known by its digest, and numbers that say
 * what their counts make. No conversation any more, so that it may be done here or travel to whoever does it.
 */
export interface Prepared<Text extends KeyedText = KeyedText> extends DistinctTexts<Text> {
  readonly encoding: EncodingName;
  readonly ledger: LedgerPlan;
  /** Undefined for what is only counted. */
  readonly fit: FitTask | undefined;
}

export interface FitTask {
  readonly options: PreflightJob['fit'];
  /** What may be cut, as positions in the list of texts. */
  readonly contents: ContentTexts;
  /** Position of the marker in the list of texts: it is counted with them, and belongs to no message. */
  readonly marker: number;
}

/** Reads no long text on this thread. Rejects with `unknown_encoding`, `invalid_base64` (with its place) and the pool's codes. */
export async function prepare(
  { pool, payloads }: { readonly pool: Pool; readonly payloads: PayloadStore },
  job: CountJob | PreflightJob,
  options: WorkOptions,
): Promise<Prepared<RequestText>> {
  const encoding = knownEncoding(job.encoding);
  const turn = new Turn();
  const plan = await turn.drive(planCounts(job));
  const identified = await identify(pool, encoding, plan.countables, options).catch((error: unknown) => {
    throw atPlaceIn(plan, error);
  });
  const { texts, parts } = await distinctTexts(identified, new StoredTexts({ pool, payloads }));
  if (!('fit' in job)) return { encoding, texts, parts, ledger: plan.ledger, fit: undefined };

  const textOf = new Int32Array(plan.countables.length);
  for (let i = 0; i < parts.owners.length; i++) {
    if (i % 4096 === 0) await turn.breathe();
    textOf[parts.owners[i] as number] = parts.texts[i] as number;
  }
  const contents: ContentTexts = {
    starts: plan.contents.starts,
    texts: plan.contents.texts.map((owner) => (owner < 0 ? -1 : (textOf[owner] as number))),
  };
  const marker = texts.length;
  texts.push(new HeldText(keysOf(encoding).ofText(MARK), [MARK]));
  return { encoding, texts, parts, ledger: plan.ledger, fit: { options: job.fit, contents, marker } };
}
