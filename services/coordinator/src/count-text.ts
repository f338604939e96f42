import type { CountTextJob, CountTextResult, Work } from '@preflight/contracts';

/** Counts one text as the content of a conversation of one message. */
export async function countTextBy(
  work: Pick<Work, 'count'>,
  { text, encoding }: CountTextJob,
  signal: AbortSignal,
): Promise<CountTextResult> {
  const messages = [{ role: 'user', texts: [text], attachments: [] }];
  const { ledger, cache, queueMs, countMs } = await work.count(
    {
      conversation: { messages, protectedCount: 0, tools: [] },
      model: undefined,
      family: undefined,
      encoding,
      count: 'content',
    },
    signal,
  );
  return { tokens: ledger.contentTokens[0] as number, cache, queueMs, countMs };
}
