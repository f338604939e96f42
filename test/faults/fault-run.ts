import { setTimeout as delay } from 'node:timers/promises';
import { forEach } from '../harness/for-each.js';
import { get, type HttpAnswer, post } from '../harness/http.js';
import { waitFor } from '../harness/wait-for.js';
import { FINAL } from '../jobs/job-calls.js';
import type { FaultCall } from './fault-calls.js';

/** A job that was accepted, and its end, once it was seen. */
export interface AcceptedJob {
  readonly id: string;
  readonly call: FaultCall;
  end?: HttpAnswer;
}

const PAUSE_MS = 50;

/** Submits every call, again and again under its key until it is accepted. */
export async function submitAll(
  url: string,
  calls: readonly FaultCall[],
  onAccepted: (job: AcceptedJob) => void,
): Promise<void> {
  await forEach([...calls.entries()], async ([i, call]) => {
    const headers = { prefer: 'respond-async', 'idempotency-key': `call-${i}` };
    const { body } = await accepted(() => post(url, call.path, call.payload, { headers }));
    onAccepted({ id: body.id, call });
  });
}

/** Only what may pass is sent again. */
async function accepted(send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  for (;;) {
    const answer = await send();
    if (answer.status === 202) return answer;
    if (answer.status !== 503) throw new Error(`not accepted: ${answer.status} ${answer.text}`);
    await delay(PAUSE_MS);
  }
}

/** Asks for every job until it has ended. */
export async function awaitAll(url: string, jobs: readonly AcceptedJob[], timeoutMs: number): Promise<void> {
  let last = '';
  const open = () => jobs.filter(({ end }) => end === undefined);
  const state = () => `${open().length} jobs are open; ${last}`;
  await waitFor(
    async () => {
      await forEach(open(), async (job) => {
        const answer = await get(url, `/v1/jobs/${job.id}`);
        last = answer.text;
        if (answer.status === 503) return;
        if (answer.status !== 200 || FINAL.includes(answer.body.status)) job.end = answer;
      });
      return open().length === 0;
    },
    { timeoutMs, what: 'the end of all jobs', state },
  );
}
