export interface SentCall {
  readonly method: string;
  readonly path: string;
  readonly sentBytes: number;
}

/** Node's fetch, and what was sent by it. */
export function countingFetch(): { fetch: typeof fetch; sent(): readonly SentCall[] } {
  const calls: SentCall[] = [];
  return {
    sent: () => calls,
    fetch: (input, init) => {
      const body = init?.body as string | Uint8Array | undefined;
      const sentBytes = body === undefined ? 0 : Buffer.byteLength(body);
      calls.push({ method: init?.method ?? 'GET', path: new URL(String(input)).pathname, sentBytes });
      return fetch(input, init);
    },
  };
}
