import { ERROR_CATALOG, type Fault, PreflightError, toFault } from '@preflight/core';
import type { FinalJobState } from './job-queue.js';

/** Faults are kept in the queue and told to everybody who listens: their innermost causes are cut off above this. */
const MAX_FAULT_CHARACTERS = 4_000;

/** Whether a fault may pass, so that another attempt makes sense: the catalog decides. */
export function mayPass(fault: Fault): boolean {
  return ERROR_CATALOG[fault.code].retry !== 'never';
}

/** Whatever a handler threw, as data of a bounded size. */
export function faultOf(error: unknown): Fault {
  const fault = toFault(error);
  if (JSON.stringify(fault).length <= MAX_FAULT_CHARACTERS) return fault;
  const { code, publicDetail, internalDetail } = fault;
  return {
    code,
    publicDetail: publicDetail.slice(0, MAX_FAULT_CHARACTERS / 4),
    ...(internalDetail === undefined
      ? {}
      : { internalDetail: internalDetail.slice(0, MAX_FAULT_CHARACTERS / 4) }),
    params: {},
  };
}

/** The final state of a job that ended in a fault. */
export function endedBy(fault: Fault): FinalJobState {
  return fault.code === 'request_cancelled' ? { status: 'cancelled' } : { status: 'failed', fault };
}

/** Why a handler's signal is aborted. */
export const abortReasons = {
  cancelled: () => new PreflightError('request_cancelled'),
  stopping: () => new PreflightError('shutting_down', { internalDetail: 'the consumer stops' }),
  lockLost: () =>
    new PreflightError('storage_unavailable', {
      internalDetail: 'the lock was lost: another host has the job',
    }),
} as const;

/** The pause before the attempt after this one. */
export function retryPauseMs(attempt: number, firstPauseMs: number): number {
  const pauseMs = firstPauseMs * 2 ** (attempt - 1);
  return Math.floor(pauseMs * (0.5 + Math.random() / 2));
}
