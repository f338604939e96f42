import type { BatchResult } from '@preflight/contracts';
import { type Sent, send } from './http.js';
import { waitFor } from './wait-for.js';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export type ReadResult = Omit<BatchResult, 'body'> & { readonly body: any };

const TYPE = { 'content-type': 'application/x-ndjson' };

export function postBatch(url: string, query: string, body: string, more: Partial<Sent> = {}) {
  return send(url, { path: `/v1/batches?${query}`, body, ...more, headers: { ...TYPE, ...more.headers } });
}

/** Sends lines as fast as they are taken. */
export function streamBatch(
  url: string,
  query: string,
  lines: AsyncIterable<object>,
  signal?: AbortSignal,
): Promise<Response> {
  async function* body() {
    for await (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
  const sent = { method: 'POST', headers: TYPE, body: body(), duplex: 'half', ...(signal ? { signal } : {}) };
  return fetch(`${url}/v1/batches?${query}`, sent as unknown as RequestInit);
}

/** Results as they come, waiting for the batch to be there; stops reading when nobody asks for more. */
export async function* readResults(
  url: string,
  batchId: string,
  { after, signal }: { after?: string; signal?: AbortSignal } = {},
): AsyncGenerator<ReadResult> {
  const query = after === undefined ? '' : `?after=${after}`;
  const answer = await waitFor(
    async () => {
      const got = await fetch(`${url}/v1/batches/${batchId}/results${query}`, signal ? { signal } : {});
      return got.status === 200 && got;
    },
    { what: 'a batch that is known' },
  );
  yield* resultsIn(answer.body as AsyncIterable<Uint8Array>);
}

export async function* resultsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadResult> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) yield JSON.parse(line);
  }
  if (rest !== '') throw new Error(`the results end in mid-line: ${rest.slice(0, 100)}`);
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export function ndjson(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
