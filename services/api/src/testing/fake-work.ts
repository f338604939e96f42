import type { CountJob, ListJob, PreflightJob, Work } from '@preflight/contracts';
import {
  type Ledger,
  loneColumns,
  MARK,
  type Message,
  replayFit,
  startFit,
  TextRange,
  type TextRef,
} from '@preflight/core';

/** Every text is as many tokens as it has characters or bytes, and every attachment ten. */
export function fakeWork(): Work & { readonly jobs: unknown[]; failWith: Error | undefined } {
  const jobs: unknown[] = [];
  const work = {
    jobs,
    failWith: undefined as Error | undefined,
    async count(job: CountJob | ListJob) {
      if ('counter' in job) throw new Error('lists are not counted here');
      return {
        ...figuresOf(job),
        ledger: ledgerOf(job),
        kinds: new Int32Array(),
        emptyAttachments: [],
      };
    },
    async preflight(job: PreflightJob) {
      const counted = await work.count(job);
      const fit = { ...job.fit, markerTokens: MARK.length };
      const first = startFit(counted.ledger, fit);
      const { step } = first;
      const cuts =
        step.type === 'decided'
          ? []
          : [
              {
                index: step.index,
                textIndex: 0,
                keepBytes: step.keepTokens,
                contentTokens: step.keepTokens + MARK.length,
              },
            ];
      return { ...counted, decision: replayFit(counted.ledger, fit, cuts), fitMs: 0.126 };
    },
    trim,
  };
  async function trim(): Promise<never> {
    throw new Error('lists are not trimmed here');
  }
  function figuresOf(job: unknown) {
    jobs.push(job);
    if (work.failWith) throw work.failWith;
    return { cache: { hits: 0, misses: 1 }, queueMs: 0, countMs: 1.006 };
  }
  return work;
}

function ledgerOf({ conversation: { messages, protectedCount } }: CountJob): Ledger {
  const column = (tokensOf: (message: Message) => number) => Int32Array.from(messages, tokensOf);
  return {
    contentTokens: column(({ texts }) => texts.reduce((sum, text) => sum + lengthOf(text), 0)),
    attachmentTokens: column(({ attachments }) => 10 * attachments.length),
    otherTokens: new Int32Array(messages.length),
    ...loneColumns(messages.length),
    isUser: Uint8Array.from(messages, ({ role }) => (role === 'user' ? 1 : 0)),
    protectedCount,
    requestOverheadTokens: 3,
  };
}

function lengthOf(text: TextRef): number {
  return text instanceof TextRange ? text.byteLength : text.length;
}
