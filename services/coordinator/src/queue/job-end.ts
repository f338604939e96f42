import {
  cutsOfNumbers,
  type Fault,
  type FitOptions,
  fromFault,
  type Ledger,
  numbersOfCuts,
  PreflightError,
  replayFit,
} from '@preflight/core';
import type { Outcome } from '../outcome.js';
import { type Packed, packColumns, unpackInt32, unpackUint8 } from './columns.js';
import { type PackedLedger, packLedger, unpackBytes } from './ledger-columns.js';
import type { QueuedJob } from './queued-job.js';

/** To be raised whenever a process of an earlier version would read an end wrongly. */
const END_VERSION = 12;

/** What a job came to: an outcome, a refusal to fit among them, or a fault. */
export type JobEnd = DoneJob | { readonly fault: Fault };

export interface DoneJob extends Pick<QueuedJob, 'kind' | 'body'> {
  readonly outcome: Outcome;
}

/** The end of a job as JSON, in numbers: ledger, cuts (bytes to keep, no text), figures. The decision follows from them. */
export function encodeEnd(end: JobEnd): Buffer {
  const stored: StoredEnd = { version: END_VERSION, ...('fault' in end ? end : doneJson(end)) };
  return Buffer.from(JSON.stringify(stored), 'utf8');
}

/** The end again. Throws `version_mismatch` for one of another version. */
export function decodeEnd(bytes: Buffer): JobEnd {
  const { version, ...end }: StoredEnd = JSON.parse(bytes.toString('utf8'));
  if (version !== END_VERSION)
    throw new PreflightError('version_mismatch', {
      internalDetail: `the end of a job of version ${version}; this is ${END_VERSION}`,
    });
  return 'fault' in end ? end : doneOf(end);
}

/** What a job ended with, if it is no fault; throws the fault otherwise. */
export function outcomeOf(end: JobEnd): Outcome {
  if ('fault' in end) throw fromFault(end.fault);
  return end.outcome;
}

type StoredEnd = { readonly version: number } & (DoneJson | { readonly fault: Fault });

interface DoneJson
  extends Pick<DoneJob, 'kind' | 'body'>,
    Pick<Outcome, 'emptyAttachments' | 'cache' | 'queueMs' | 'countMs'>,
    Partial<Pick<Outcome, 'trimming' | 'estimate'>>,
    Packed<Pick<Outcome, 'counts' | 'kinds'>> {
  readonly ledger: PackedLedger<Ledger>;
  readonly fit?:
    | ({ readonly options: FitOptions; readonly fitMs: number } & Packed<{ readonly cuts: Int32Array }>)
    | undefined;
}

function doneJson({ outcome, ...job }: DoneJob): DoneJson {
  const { counts, kinds, ledger, fit, ...figures } = outcome;
  return {
    ...job,
    ...figures,
    ...packColumns({ counts, kinds }),
    ledger: packLedger(ledger),
    fit: fit && {
      options: fit.options,
      fitMs: fit.fitMs,
      ...packColumns({ cuts: numbersOfCuts(fit.cuts) }),
    },
  };
}

function doneOf({ kind, body, counts, kinds, ledger: packed, fit, trimming, ...figures }: DoneJson): DoneJob {
  const { bytes, ...columns } = packed;
  const ledger: Ledger = {
    ...columns,
    contentTokens: unpackInt32(packed.contentTokens),
    attachmentTokens: unpackInt32(packed.attachmentTokens),
    otherTokens: unpackInt32(packed.otherTokens),
    boundTokens: unpackInt32(packed.boundTokens),
    isUser: unpackUint8(packed.isUser),
    units: unpackInt32(packed.units),
    unitFaults: unpackUint8(packed.unitFaults),
    roles: unpackUint8(packed.roles),
    idleTokens: packed.idleTokens === undefined ? undefined : unpackInt32(packed.idleTokens),
    questions: packed.questions === undefined ? undefined : unpackUint8(packed.questions),
    copies: packed.copies === undefined ? undefined : unpackInt32(packed.copies),
    ...unpackBytes(bytes),
  };
  const cuts = fit && cutsOfNumbers(unpackInt32(fit.cuts));
  const outcome: Outcome = {
    ...figures,
    counts: unpackInt32(counts),
    kinds: unpackInt32(kinds),
    ledger,
    fit: fit && cuts && { ...fit, cuts, decision: replayFit(ledger, fit.options, cuts) },
    trimming,
  };
  return { kind, ...(body && { body }), outcome };
}
