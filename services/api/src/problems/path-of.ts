import type { FastifyRequest } from 'fastify';

/** What was called, without its query: that may hold what is nobody's business, and is no part of a problem's `instance`. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] as string;
}
