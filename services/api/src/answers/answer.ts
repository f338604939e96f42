import type { Json } from '@preflight/core';

/** A status and the JSON that goes with it, whichever way it then travels. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** An answer to a call that did what was asked. */
export function okAnswer(body: object): Answer {
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: body as Json };
}
