import { setTimeout as sleep } from 'node:timers/promises';
import type { JobResponse, JobStateResponse } from '@preflight/contracts';
import { ClientError, errorOfProblem } from './client-error.js';

/** How a job is asked for. Rejects with ClientError. */
export interface JobCalls {
  state(id: string, signal: AbortSignal | undefined): Promise<JobResponse>;
  cancel(id: string, signal: AbortSignal | undefined): Promise<JobStateResponse>;
}

export interface JobOptions {
  readonly signal?: AbortSignal;
}

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/** A call that the service does while its caller does something else. It is known by its id to every process. */
export class ClientJob<Result> {
  readonly id: string;
  readonly #calls: JobCalls;
  readonly #read: (answer: NonNullable<JobResponse['result']>) => Result;

  constructor(id: string, calls: JobCalls, read: (answer: NonNullable<JobResponse['result']>) => Result) {
    this.id = id;
    this.#calls = calls;
    this.#read = read;
  }

  /** Where it is now. Rejects with `not_found` or `job_expired` when its result is not kept any more. */
  async state({ signal }: JobOptions = {}): Promise<JobStateResponse> {
    const { result: _result, problem: _problem, ...state } = await this.#calls.state(this.id, signal);
    return state;
  }

  /**
   * What the call would have been answered with, when it has ended; asks every 50 ms at first, every 2 s later. Rejects
   * with what the call would have been refused with, `job_cancelled`, `job_expired`, and the signal's reason; the job
   * goes on then.
   */
  async result({ signal }: JobOptions = {}): Promise<Result> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const { status, result, problem } = await this.#calls.state(this.id, signal);
      if (result !== undefined) return this.#read(result);
      if (problem !== undefined) throw errorOfProblem(problem);
      if (status === 'cancelled') throw new ClientError('job_cancelled', 'the job was cancelled');
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw signal?.reason;
      });
    }
  }

  /** Cancels it: at once if it waits, soon if it runs; one that has ended stays as it is. Answers where it is then. */
  cancel({ signal }: JobOptions = {}): Promise<JobStateResponse> {
    return this.#calls.cancel(this.id, signal);
  }
}
