import type { JsonObject } from '@preflight/core';
import { DEFAULT_FORMAT, detectFormat, FORMATS } from '@preflight/formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conversations } from '../legality/conversations/index.js';

const CONVERSATIONS = 200;

test.each(Object.keys(FORMATS))(
  '%s is told from the shape, but where it is that of Chat Completions',
  (format) => {
    const told = fc
      .sample(conversations(format), { seed: 5, numRuns: CONVERSATIONS })
      .map(({ request }) => detectFormat(request as JsonObject).name);
    expect([format, DEFAULT_FORMAT]).toEqual(expect.arrayContaining([...new Set(told)]));
    expect(told.filter((name) => name === format).length).toBeGreaterThan(0.85 * CONVERSATIONS);
  },
);
