import { type HttpAnswer, post, type Sent } from '../harness/http.js';
import { seededBytes } from '../harness/seeded-texts.js';

/** Settings of a server that takes seconds for what the kernel does in a blink. */
export const SLOW = { PREFLIGHT_ENGINE: 'tiktoken' };

/** Keeps one thread of a slow server busy for seconds; another seed makes another text, which no cache knows. */
export function largeText(seed: number, megabytes = 4): string {
  return seededBytes(megabytes * 750_000, seed).toString('base64');
}

/** Counts a text without waiting for the answer. */
export function startCounting(
  url: string,
  text: string,
  more: Partial<Sent> = {},
): { answer: Promise<HttpAnswer> } {
  const answer = post(url, '/v1/count', { text, encoding: 'o200k_base' }, more);
  answer.catch(() => undefined);
  return { answer };
}
