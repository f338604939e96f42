/** How a queue treats its jobs. All adapters take the same. */
export interface JobLimits {
  /** Attempts that end in a fault that may pass, the first one included. Default 5. */
  readonly maxAttempts: number;
  /** Pause before the second attempt; doubles each time, and is shortened at random by up to a half. Default 500 ms. */
  readonly retryPauseMs: number;
  /** A final state is remembered so long. Default 5 minutes. */
  readonly rememberMs: number;
  /** So many completed, and so many failed jobs are remembered at most. Default 10,000, about 10 MB on Redis. */
  readonly rememberCount: number;
  /** Jobs that may wait; more are refused as overloaded. On Redis looked at every 250 ms. Default 100,000. */
  readonly maxWaiting: number;
  /** Job data as JSON. More is a programmer's mistake: content belongs into the payload store. Default 64 KiB. */
  readonly maxDataBytes: number;
}

export const DEFAULT_JOB_LIMITS: JobLimits = {
  maxAttempts: 5,
  retryPauseMs: 500,
  rememberMs: 300_000,
  rememberCount: 10_000,
  maxWaiting: 100_000,
  maxDataBytes: 64 * 1024,
};

const JOB_ID = /^(?=.*[^0-9])[A-Za-z0-9_-]{1,128}$/;

/** BullMQ takes integers for ids of its own, and `:` separates its keys. */
export function assertJobId(id: string): void {
  if (!JOB_ID.test(id)) throw new RangeError(`not a job id: ${JSON.stringify(id.slice(0, 140))}`);
}

/** Throws RangeError where the data of a job is larger than a queue takes: a bug of ours, since content is elsewhere. */
export function assertDataFits(dataJson: string, { maxDataBytes }: JobLimits): void {
  const sizeBytes = Buffer.byteLength(dataJson);
  if (sizeBytes > maxDataBytes)
    throw new RangeError(`job data of ${sizeBytes} of at most ${maxDataBytes} bytes`);
}
