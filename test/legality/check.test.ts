import { isDeepStrictEqual } from 'node:util';
import { finish, type JsonObject, jsonBytes } from '@preflight/core';
import { checkLegality, FORMATS, type Format, LEGALITIES, repairRequest } from '@preflight/formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../harness/runs.js';
import { ADVICE, CHECKERS, type Check, type Plain } from './checkers/index.js';
import { conversations, TRACE } from './conversations/index.js';

/** Where one of the two checkers is finer than the other. */
const COARSER: Readonly<Record<string, string>> = {
  response_count: 'call_without_result',
  results_split: 'call_without_result',
};

function coarse(codes: readonly string[]): string[] {
  return [...new Set(codes.map((code) => COARSER[code] ?? code))].sort();
}

/** Places of thinking that is bound to what stood before it and has changed, unless the provider is told (formats.md §3). */
function boundBehindChange(given: Plain, repaired: Plain, model: string): number[] {
  if (!/fable/.test(model) || !Array.isArray(repaired.messages)) return [];
  const thinking = repaired.thinking as { block_binding?: unknown } | undefined;
  if (thinking?.block_binding !== undefined) return [];
  const before = given.messages as Plain[];
  const messages = repaired.messages as Plain[];
  const from = messages.findIndex((message, index) => !isDeepStrictEqual(message, before[index]));
  return messages.flatMap(({ content }, index) => {
    const isThinking = (block: Plain) => block.type === 'thinking' || block.type === 'redacted_thinking';
    const hasThinking = Array.isArray(content) && content.some(isThinking);
    return from !== -1 && index > from && hasThinking ? [index] : [];
  });
}

it('there are rules for every format', () => {
  expect(Object.keys(FORMATS).filter((name) => LEGALITIES[name] === undefined)).toEqual([]);
});

describe.each(Object.keys(FORMATS))('%s', (name) => {
  const format = FORMATS[name as keyof typeof FORMATS] as Format;
  const judge = CHECKERS[name] as Check;

  it('finds what the second checker finds', () => {
    fc.assert(
      fc.property(conversations(name), ({ request, model }) => {
        const verdict = finish(checkLegality(request as JsonObject, format, model));
        const found = coarse(verdict.violations.map(({ code }) => code));
        const expected = coarse(judge(request, model).map(({ rule }) => rule));
        // What cannot be read is no rule of the second checker.
        expect(found.filter((code) => code !== 'malformed')).toEqual(expected);
      }),
      runs(150),
    );
  });

  it('repairs to what the second checker takes, by edits, and leaves alone what is legal', () => {
    fc.assert(
      fc.property(conversations(name), ({ request, model }) => {
        const given = structuredClone(request) as JsonObject;
        const { edits, request: repaired, verdict } = finish(repairRequest(given, format, model));
        expect(given).toEqual(request);
        expect(finish(format.apply(given, edits))).toEqual(repaired);
        const isEmpty = verdict.violations.some(({ code }) => code === 'no_messages');
        const left = judge(repaired, model).filter(({ rule }) => !ADVICE.has(rule));
        if (!isEmpty) expect(left).toEqual([]);
        expect(verdict.isLegal).toBe(!isEmpty);
        if (judge(request, model).length === 0) expect(edits).toEqual([]);
        expect(boundBehindChange(request, repaired, model)).toEqual([]);
      }),
      runs(150),
    );
  });

  it('counts the bytes of the request', () => {
    fc.assert(
      fc.property(conversations(name), ({ request }) => {
        expect(finish(jsonBytes(request as JsonObject))).toBe(Buffer.byteLength(JSON.stringify(request)));
      }),
      runs(50),
    );
  });
});

it('nothing that is left out changes its place', () => {
  fc.assert(
    fc.property(conversations('openai-chat'), ({ request, model }) => {
      const { request: repaired } = finish(
        repairRequest(request as JsonObject, FORMATS['openai-chat'], model),
      );
      const places = (repaired.messages as JsonObject[]).map((message) => message[TRACE] as number);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }),
    runs(100),
  );
});
