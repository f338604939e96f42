import { ERROR_CATALOG, type ErrorCode, PreflightError } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { problemOf, refusalProblem, toPreflightError } from './problems.js';

const context = { instance: '/v1/count', requestId: 'r1' };
const codes = Object.keys(ERROR_CATALOG) as ErrorCode[];

test.each(codes)('%s is answered as the catalog says', (code) => {
  const { title, httpStatus, description, retry } = ERROR_CATALOG[code];
  const { status, headers, body } = problemOf(new PreflightError(code), context);
  expect(status).toBe(httpStatus);
  expect(headers['content-type']).toBe('application/problem+json');
  expect(headers['retry-after'] !== undefined).toBe(retry === 'after');
  expect(body).toEqual({
    type: `urn:preflight:problem:${code}`,
    title,
    status: httpStatus,
    detail: description,
    instance: '/v1/count',
    code,
    request_id: 'r1',
  });
});

test('figures and places are told, internal details and causes are not', () => {
  const error = new PreflightError('invalid_request', {
    publicDetail: 'said',
    internalDetail: 'SECRET',
    params: { limit: 5 },
    issues: [{ pointer: '/a', detail: 'is wrong' }],
    cause: new Error('SECRET'),
  });
  const { body } = problemOf(error, context);
  expect(body).toMatchObject({
    detail: 'said',
    figures: { limit: 5 },
    errors: [{ pointer: '/a', detail: 'is wrong' }],
  });
  expect(JSON.stringify(body)).not.toContain('SECRET');
});

test('a refusal carries figures, what stands in the way, hints and warnings', () => {
  const { status, body } = refusalProblem(
    {
      outcome: 'refused',
      code: 'ran_out_of_messages',
      figures: {
        historyTokensBefore: 9,
        historyTokensAfter: 8,
        budget: 7,
        shortfall: 1,
        contextWindow: null,
        maxOutputTokens: 6,
        minOutputTokens: 5,
      },
      limit: 'budget_tokens',
      unshrinkable: [
        { index: null, reason: 'request_overhead', contentTokens: 1, attachmentTokens: 2, otherTokens: 3 },
      ],
      hints: [{ code: 'raise_budget_tokens', detail: 'to 8' }],
    },
    {
      window_type: null,
      max_input_tokens: null,
      max_output_tokens: null,
      reasoning_tokens: 0,
      room_left: null,
      overflow: [{ limit: 'budget_tokens', tokens: 2 }],
    },
    { warnings: [{ code: 'attachment_estimate', detail: 'x' }] },
    context,
  );
  expect(status).toBe(422);
  expect(body).toMatchObject({
    code: 'ran_out_of_messages',
    limits: { refused_by: 'budget_tokens', overflow: [{ limit: 'budget_tokens', tokens: 2 }] },
    figures: {
      history_tokens_before: 9,
      history_tokens_after: 8,
      budget: 7,
      shortfall: 1,
      context_window: null,
      max_output_tokens: 6,
      min_output_tokens: 5,
    },
    unshrinkable: [{ index: null, content_tokens: 1, attachment_tokens: 2, other_tokens: 3 }],
    hints: [{ code: 'raise_budget_tokens' }],
    warnings: [{ code: 'attachment_estimate' }],
  });
});

describe('whatever is thrown', () => {
  test('of ours stays what it is', () => {
    const error = new PreflightError('overloaded');
    expect(toPreflightError(error)).toBe(error);
  });

  test.each([
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
    ['FST_ERR_BAD_URL', 'not_found'],
    ['FST_ERR_REP_ALREADY_SENT', 'internal_error'],
  ])('by the framework as %s is %s', (code, expected) => {
    const error = Object.assign(new Error('x'), { code });
    expect(toPreflightError(error)).toMatchObject({ code: expected, cause: error });
  });

  test.each([new Error('x'), 'text', null, undefined, { code: 5 }, { code: 'constructor' }])(
    'else (%j) is a bug',
    (thrown) => {
      expect(toPreflightError(thrown).code).toBe('internal_error');
    },
  );
});
