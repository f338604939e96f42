import type { JsonObject } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import { okAnswer } from '../answers/answer.js';
import { trimmedAnswer } from '../answers/trimmed-answer.js';
import { readList } from '../requests/conversation-request.js';
import { trimJob } from '../requests/list-job.js';
import type { TrimCall } from './call.js';
import type { CallSettings } from './call-settings.js';

/** A list that is to be trimmed as langchain-core does, of a checked body. Rejects with what is wrong with it. */
export async function readTrimCall(
  body: JsonObject,
  { maxMessages }: Pick<CallSettings, 'maxMessages'>,
): Promise<TrimCall> {
  const read = await new Turn().drive(readList(body, maxMessages));
  const job = trimJob(body, read.messages);
  const withConversation = body.return === 'conversation';
  return {
    kind: 'list',
    job,
    pointerPrefix: read.pointerPrefix,
    answer: async (result, { requestId }) =>
      okAnswer(await trimmedAnswer(requestId, read, job.counter, result, { withConversation })),
  };
}
