import { KEY_PREFIX } from '../redis/keys.js';

/** Where BullMQ keeps its keys: `{preflight}:jobs:…`. */
export const BULLMQ_NAMES = { queue: 'jobs', prefix: KEY_PREFIX } as const;

/** How this queue uses BullMQ. All hosts should be given the same. */
export interface BullMqTiming {
  /**
   * How long a host may be silent before its jobs go to others; renewed at half of it. Shorter: lost jobs are found
   * sooner, and a host that is merely slow (its event loop held, its machine asleep) has its jobs done twice. Default 30 s.
   */
  readonly lockMs: number;
  /** How often lost jobs are looked for; one is found after at most the lock and twice this. Default 15 s. */
  readonly stalledCheckMs: number;
  /**
   * A job is given up as poisoned after it was lost so many times with its process. Lower: fewer hosts are taken down by
   * such a job; but a job that happens to be there when hosts are killed is given up as well. At least 2, default 5.
   */
  readonly maxKills: number;
}

export const DEFAULT_BULLMQ_TIMING: BullMqTiming = { lockMs: 30_000, stalledCheckMs: 15_000, maxKills: 5 };

/** Events are signals, and jobs say the same by their state: few need to be kept. BullMQ's 10,000 took 226 MB once. */
export const MAX_EVENTS = 1_000;
