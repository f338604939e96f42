import { type Cut, type FitOptions, type Ledger, PreflightError, replayFit } from '@preflight/core';
import type { Outcome } from '../outcome.js';
import { type Packed, packColumns, unpackInt32, unpackUint8 } from './columns.js';

/** To be raised whenever an API of an earlier version would read a result wrongly. */
const RESULT_VERSION = 1;

/** Numbers of a cut, in the order in which they are written. */
const CUT_FIELDS = ['index', 'textIndex', 'keepBytes', 'contentTokens'] as const;

/** The outcome of a job as JSON, in numbers: ledger, cuts (bytes to keep, no text), figures. The decision follows from them. */
export function encodeResult({ counts, ledger, fit, ...figures }: Outcome): Buffer {
  const result: Result = {
    version: RESULT_VERSION,
    ...figures,
    ...packColumns({ counts }),
    ledger: packColumns(ledger),
    fit: fit && {
      options: fit.options,
      fitMs: fit.fitMs,
      ...packColumns({
        cuts: Int32Array.from(fit.cuts.flatMap((cut) => CUT_FIELDS.map((name) => cut[name]))),
      }),
    },
  };
  return Buffer.from(JSON.stringify(result), 'latin1');
}

/** The outcome again. Throws `internal_error` for a result of another version. */
export function decodeResult(bytes: Buffer): Outcome {
  const { version, counts, ledger: packed, fit, ...figures }: Result = JSON.parse(bytes.toString('latin1'));
  if (version !== RESULT_VERSION)
    throw new PreflightError('internal_error', { internalDetail: `a result of version ${version}` });
  const ledger: Ledger = {
    ...packed,
    contentTokens: unpackInt32(packed.contentTokens),
    attachmentTokens: unpackInt32(packed.attachmentTokens),
    otherTokens: unpackInt32(packed.otherTokens),
    isUser: unpackUint8(packed.isUser),
  };
  const cuts = fit && readCuts(unpackInt32(fit.cuts));
  return {
    ...figures,
    counts: unpackInt32(counts),
    ledger,
    fit: fit && cuts && { ...fit, cuts, decision: replayFit(ledger, fit.options, cuts) },
  };
}

interface Result
  extends Pick<Outcome, 'emptyAttachments' | 'cache' | 'queueMs' | 'countMs'>,
    Packed<Pick<Outcome, 'counts'>> {
  readonly version: number;
  readonly ledger: Packed<Ledger>;
  readonly fit?:
    | ({ readonly options: FitOptions; readonly fitMs: number } & Packed<{ readonly cuts: Int32Array }>)
    | undefined;
}

function readCuts(numbers: Int32Array): Cut[] {
  return Array.from({ length: numbers.length / CUT_FIELDS.length }, (_, i) => {
    const [index, textIndex, keepBytes, contentTokens] = numbers.subarray(i * CUT_FIELDS.length);
    return { index, textIndex, keepBytes, contentTokens } as Cut;
  });
}
