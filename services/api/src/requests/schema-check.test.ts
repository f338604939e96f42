import { countRequest, preflightRequest } from '@preflight/contracts';
import { type Json, PreflightError, STRATEGIES, TextRange, TRIM_MESSAGES } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { schemaCheck } from './schema-check.js';

const checkPreflight = schemaCheck(preflightRequest);
const checkCount = schemaCheck(countRequest);
const long = new TextRange(new SharedArrayBuffer(5000), 0, 5000);
const messages: Json = [{ role: 'user', content: 'hi' }];

function refusalOf(body: unknown, check = checkPreflight): PreflightError {
  try {
    check(body);
  } catch (error) {
    if (error instanceof PreflightError) return error;
    throw error;
  }
  throw new Error('accepted');
}

const pointersOf = ({ issues }: PreflightError) => issues?.map(({ pointer }) => pointer);

describe('accepts', () => {
  test.each([
    { messages, model: 'm', max_output_tokens: 0, budget_tokens: -5 },
    { request: { messages, temperature: 1, anything: [long] } },
    { messages: [{ role: 'user', content: long, unknown: { field: long } }], tool_choice: long },
    {},
  ])('%j', (body) => checkPreflight(body));

  test('a long text to count', () => checkCount({ text: long }));
});

describe('refuses a long text', () => {
  test.each(['messages', 'request', 'model', 'tools', 'context_window', 'encoding', 'agent', 'functions'])(
    'as %s',
    (name) => {
      const error = refusalOf({ [name]: long });
      expect(error.code).toBe('invalid_request');
      expect(pointersOf(error)).toEqual([`/${name}`]);
    },
  );

  test.each(['strategy', 'format', 'count', 'accounting', 'return'])('as %s', (name) => {
    const error = refusalOf({ messages, [name]: long });
    expect(error).toMatchObject({ code: 'unsupported_option', issues: [{ pointer: `/${name}` }] });
    expect(error.publicDetail).toMatch(/must be one of/);
  });

  test('in place of the body', () => {
    expect(refusalOf(long)).toMatchObject({ code: 'invalid_request', issues: [{ pointer: '' }] });
  });
});

test.each([undefined, null, 5, 'text', true, [], [messages]])('refuses a body that is %j', (body) => {
  expect(refusalOf(body)).toMatchObject({ code: 'invalid_request', issues: [{ pointer: '' }] });
});

describe('values', () => {
  test.each([
    [{ messages: 5 }, '/messages'],
    [{ messages, context_window: '8192' }, '/context_window'],
    [{ messages, context_window: 1.5 }, '/context_window'],
    [{ messages, context_window: -1 }, '/context_window'],
    [{ messages, min_output_tokens: null }, '/min_output_tokens'],
    [{ messages, model: 'm'.repeat(257) }, '/model'],
    [{ request: [] }, '/request'],
  ])('%j is wrong at %s', (body, pointer) => {
    const error = refusalOf(body);
    expect(error.code).toBe('invalid_request');
    expect(pointersOf(error)).toContain(pointer);
    expect(error.publicDetail).toContain(pointer);
  });

  test('that an option will have one day are unsupported', () => {
    expect(refusalOf({ messages, strategy: 'guess' })).toMatchObject({
      code: 'unsupported_option',
      issues: [
        {
          pointer: '/strategy',
          detail: `must be one of ${[...Object.keys(STRATEGIES), TRIM_MESSAGES.name].join(', ')}`,
        },
      ],
    });
  });
});

test('names the wrong one of a list of strategies', () => {
  const names = Object.keys(STRATEGIES);
  expect(() => checkPreflight({ messages, strategy: names })).not.toThrow();
  expect(refusalOf({ messages, strategy: [names[0] as string, 'none'] })).toMatchObject({
    code: 'unsupported_option',
    issues: [{ pointer: '/strategy/1', detail: `must be one of ${names.join(', ')}` }],
  });
  for (const strategy of [[], [names[0], names[0]]])
    expect(refusalOf({ messages, strategy } as Json).code).toBe('unsupported_option');
});

describe('unknown options', () => {
  test('are all named, escaped as pointers', () => {
    const error = refusalOf({ messages, stategy: 1, 'a/b~c': 2, ['__proto__']: 3 });
    expect(error.code).toBe('unknown_option');
    expect(pointersOf(error)).toEqual(expect.arrayContaining(['/stategy', '/a~1b~0c', '/__proto__']));
  });

  test('of the other call are unknown', () => {
    expect(refusalOf({ text: 'a' })).toMatchObject({ code: 'unknown_option' });
    expect(refusalOf({ text: 'a', strategy: 'truncate' }, checkCount)).toMatchObject({
      code: 'unknown_option',
    });
  });

  test('by the thousand, or of great length, make no large answer', () => {
    const names = Array.from({ length: 10_000 }, (_, i) => [`${'n'.repeat(1000)}${i}`, 1]);
    const error = refusalOf(Object.fromEntries(names));
    expect(error.issues?.length).toBeLessThanOrEqual(20);
    expect(JSON.stringify(error.issues).length + error.publicDetail.length).toBeLessThan(5000);
  });
});

test('what stands in lists and in the request is left to the format', () => {
  checkPreflight({ messages: [5, long, null], tools: [5], functions: ['x'] });
  checkPreflight({ request: { messages: 5, tools: long } });
});
