import { get, type HttpAnswer, post, send } from '../harness/http.js';
import { waitFor } from '../harness/wait-for.js';

export const FINAL = ['completed', 'failed', 'cancelled'];

/** Posts what is to become a job; the answer is 202, or a problem. */
export function submit(url: string, path: string, payload: object, headers: Record<string, string> = {}) {
  return post(url, path, payload, { headers: { prefer: 'respond-async', ...headers } });
}

export function cancel(url: string, id: string): Promise<HttpAnswer> {
  return send(url, { method: 'DELETE', path: `/v1/jobs/${id}` });
}

/** Where a job is, once it has ended. */
export function finalAnswer(url: string, id: string, timeoutMs = 60_000): Promise<HttpAnswer> {
  let last = '';
  return waitFor(
    async () => {
      const answer = await get(url, `/v1/jobs/${id}`);
      last = `${answer.status} ${answer.text}`;
      return (answer.status !== 200 || FINAL.includes(answer.body.status)) && answer;
    },
    { timeoutMs, what: `the end of job ${id}`, state: () => last },
  );
}

/** The states that are told of a job, until the stream ends. */
export async function statesOf(url: string, id: string): Promise<{ status: string; progress?: object }[]> {
  const { text } = await get(url, `/v1/jobs/${id}/events`);
  return [...text.matchAll(/^event: state\ndata: (.*)\n\n/gm)].map(([, data]) => JSON.parse(data as string));
}

/** An answer apart from ids, timing and cache figures, whether its caller waited for it or asked for it later. */
export function comparable({ status, body }: HttpAnswer): object {
  const { id, request_id, timing, cache, ...rest } = body.result ?? body.problem ?? body;
  return { status: body.problem?.status ?? status, ...rest };
}
