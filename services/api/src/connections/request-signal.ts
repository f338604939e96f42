import { deadlineExceeded } from '@preflight/core';
import { ANSWERED, type Over } from './over.js';

/**
 * For the work of one request: aborts when the request is over (`request_cancelled`, unless it has been answered) or
 * the deadline passes (`deadline_exceeded`).
 */
export function requestSignal(over: Over, deadlineMs: number): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(deadlineExceeded(deadlineMs)), deadlineMs);
  over.when(() => {
    clearTimeout(timer);
    if (over.reason !== ANSWERED) controller.abort(over.reason);
  });
  return controller.signal;
}
