import { expect, test } from 'vitest';
import { ERROR_CATALOG } from './catalog.js';
import { type Fault, fromFault, toFault } from './fault.js';
import { PreflightError } from './preflight-error.js';

const full = new PreflightError('invalid_request', {
  publicDetail: 'messages is missing.',
  internalDetail: 'schema v3',
  params: { limitBytes: 10, sizeBytes: 11 },
  issues: [{ pointer: '/messages', detail: 'is required' }],
  missing: ['sha256:00'],
  cause: new PreflightError('invalid_json', { cause: new Error('secret') }),
});

test('an error shows neither of its details when it is printed as a message', () => {
  expect(full.message).toBe('invalid_request');
  expect(String(full)).toBe('PreflightError: invalid_request');
});

test('without a detail of its own it has the description of the catalog', () => {
  const error = new PreflightError('overloaded');
  expect(error.publicDetail).toBe(ERROR_CATALOG.overloaded.description);
  expect(error).toMatchObject({
    params: {},
    internalDetail: undefined,
    issues: undefined,
    missing: undefined,
  });
});

test('a fault is plain data and comes back with all parts', () => {
  const fault: Fault = JSON.parse(JSON.stringify(toFault(full)));
  expect(fault).toEqual(toFault(full));
  const back = fromFault(structuredClone(fault));
  expect(back).toBeInstanceOf(PreflightError);
  expect(back).toMatchObject({
    code: 'invalid_request',
    publicDetail: 'messages is missing.',
    internalDetail: 'schema v3',
    params: { limitBytes: 10, sizeBytes: 11 },
    issues: [{ pointer: '/messages', detail: 'is required' }],
    missing: ['sha256:00'],
    cause: { code: 'invalid_json', cause: { code: 'internal_error' } },
  });
  expect(toFault(back)).toEqual(fault);
});

test.each([new TypeError('secret path'), 'secret text', undefined, { secret: 1 }])(
  'what is not ours becomes internal_error, without a word of it for the caller: %s',
  (thrown) => {
    const fault = toFault(thrown);
    expect(fault.code).toBe('internal_error');
    expect(fault.publicDetail).toBe(ERROR_CATALOG.internal_error.description);
    if (thrown instanceof Error) expect(fault.internalDetail).toContain('TypeError: secret path');
  },
);

test('a chain that leads back to itself ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(JSON.stringify(toFault(error)).match(/"code"/g)).toHaveLength(9);
});

test('a code of another version becomes internal_error', () => {
  const fault = { ...toFault(full), code: 'code_of_tomorrow' } as unknown as Fault;
  expect(fromFault(fault)).toMatchObject({
    code: 'internal_error',
    publicDetail: ERROR_CATALOG.internal_error.description,
    internalDetail: 'unknown error code code_of_tomorrow',
  });
});
