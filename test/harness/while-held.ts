import { send } from './http.js';

/** What comes of it while the service takes a request whose body never ends. */
export async function whileHeld<Result>(url: string, then: () => Promise<Result>): Promise<Result> {
  const holder = new AbortController();
  const isThere = new Promise<void>((onContinue) => {
    const held = send(url, {
      path: '/v1/count',
      // The service says when it has begun to take the body.
      headers: { 'content-type': 'application/json', 'content-length': '1000000', expect: '100-continue' },
      body: '{',
      isEndless: true,
      signal: holder.signal,
      onContinue,
    });
    held.catch(() => undefined);
  });
  try {
    await isThere;
    return await then();
  } finally {
    holder.abort();
  }
}
