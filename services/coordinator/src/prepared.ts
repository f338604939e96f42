import type { PreflightJob } from '@preflight/contracts';
import type { EncodingName } from '@preflight/pool';
import type { ContentTexts } from './count-plan.js';
import type { LedgerPlan } from './ledger-plan.js';
import type { TrimOutcome, TrimTask } from './lists/trim-task.js';
import type { DistinctTexts } from './texts/distinct-texts.js';
import type { KeyedText } from './texts/keyed-text.js';

/**
 * A request, read and identified: the texts to be counted, each once and known by its digest, and numbers that say
 * what their counts make. No conversation any more, so that it may be done here or travel to whoever does it.
 */
export interface Prepared<Text extends KeyedText = KeyedText> extends DistinctTexts<Text> {
  readonly encoding: EncodingName;
  readonly ledger: LedgerPlan;
  /** Undefined for what is only counted, or trimmed. */
  readonly fit: FitTask | undefined;
  /** A trim that waits for its counts, or that needed none and is decided. */
  readonly trimming: TrimTask | TrimOutcome | undefined;
}

export interface FitTask {
  readonly options: PreflightJob['fit'];
  /** What may be cut, as positions in the list of texts. */
  readonly contents: ContentTexts;
  /** Position of the marker in the list of texts: it is counted with them, and belongs to no message. */
  readonly marker: number;
}
