import type { IncomingMessage } from 'node:http';
import type { PreflightError } from '@preflight/core';

/** Whoever reads the body is told that no more of it comes, and why. False if it is whole, or nobody reads it. */
export function failReceiving(request: IncomingMessage, error: PreflightError): boolean {
  // Destroying the request would take its connection along, and with it the answer.
  return !request.complete && request.listenerCount('error') > 0 && request.emit('error', error);
}
