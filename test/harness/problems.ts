import { problem } from '@preflight/contracts';
import { ERROR_CATALOG, type ErrorCode } from '@preflight/core';
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import type { HttpAnswer } from './http.js';

/** Stands in every request that is refused, and nowhere in what comes back or is logged. */
export const MARKER = 'xylophone-7f3a';

/** A problem document as the contract promises it: standard members, a code of the catalog, nothing of the request. */
export function expectProblem(answer: HttpAnswer, status: number, code: ErrorCode): void {
  const { body, headers, text } = answer;
  expect([answer.status, body?.code], text).toEqual([status, code]);
  expect(headers['content-type']).toContain('application/problem+json');
  expect([...Value.Errors(problem, body)]).toEqual([]);
  expect(body.status).toBe(status);
  expect(body.title).toBe(ERROR_CATALOG[code].title);
  expect(body.type).toBe(`urn:preflight:problem:${code}`);
  expect(body.instance).toMatch(/^\//);
  expect(body.request_id).toMatch(/\S/);
  expect(text).not.toContain(MARKER);
}
