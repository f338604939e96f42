import type { ApiParts } from '@preflight/api';
import type { Jobs, WatchBody, Work } from '@preflight/contracts';
import type { PreflightError } from '@preflight/core';
import type { Metrics } from '@preflight/runtime';
import type { BatchStore, CalibrationStore, PayloadStore } from '@preflight/storage';

/** What stands behind the API in this process: whoever does its work, and all that this needs. */
export interface Backend {
  readonly work: Work;
  readonly encode: ApiParts['encode'];
  readonly watchBody: WatchBody;
  readonly jobs: Jobs;
  /** Where it looks for what requests name by digest. */
  readonly payloads: PayloadStore;
  /** Where the results of batches wait for their readers. */
  readonly batches: BatchStore;
  /** What providers charged. */
  readonly calibrations: CalibrationStore;
  readonly metrics: Metrics;
  /** What keeps new work from being done, or undefined. */
  ready(): Promise<PreflightError | undefined>;
  /** To be called when no work is under way any more. */
  close(): Promise<void>;
}
