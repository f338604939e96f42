import type { CountJob, PreflightJob, Work } from '@preflight/contracts';
import {
  finish,
  type Ledger,
  ledgerRoles,
  loneColumns,
  replayFit,
  turnStarts,
  unitsOf,
} from '@preflight/core';

/** Does the work of the service by another measure than tokens: what each message costs is given. Nothing is cut. */
export function workByMeasure(costOf: (index: number) => number): Work {
  const ledgerOf = ({ conversation: { messages, protectedCount } }: CountJob): Ledger => {
    const { units, unitFaults } = finish(unitsOf(messages));
    return {
      ...loneColumns(messages.length),
      contentTokens: Int32Array.from(messages, (_, index) => costOf(index)),
      attachmentTokens: new Int32Array(messages.length),
      otherTokens: new Int32Array(messages.length),
      units,
      unitFaults,
      roles: ledgerRoles(messages),
      isUser: turnStarts(messages, units),
      protectedCount,
      requestOverheadTokens: 0,
    };
  };
  const figures = { cache: { hits: 0, misses: 0 }, queueMs: 0, countMs: 0 };
  const count = (job: CountJob) => ({
    ...figures,
    ledger: ledgerOf(job),
    kinds: new Int32Array(),
    emptyAttachments: [],
  });
  return {
    async preflight(job: PreflightJob) {
      const counted = count(job);
      const decision = replayFit(counted.ledger, { ...job.fit, markerTokens: 1 }, []);
      return { ...counted, decision, fitMs: 0 };
    },
    async count(job) {
      if ('counter' in job) throw new Error('lists have counters of their own');
      return count(job);
    },
    async trim() {
      throw new Error('lists have counters of their own');
    },
  };
}
