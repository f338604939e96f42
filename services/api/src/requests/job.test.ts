import type { JsonObject } from '@preflight/core';
import { DEFAULT_FORMAT, FORMATS } from '@preflight/formats';
import { MODEL_CATALOG, type Model } from '@preflight/models';
import { describe, expect, test } from 'vitest';
import { askedModel, modelWarnings } from './asked-model.js';
import { countJob, preflightJob, resolveEncoding } from './job.js';

const format = FORMATS[DEFAULT_FORMAT];
const conversation = { messages: [], protectedCount: 0, tools: [] };

function jobOf(body: JsonObject, request: JsonObject = {}, defaultWindow?: number) {
  const read = { format, request, conversation };
  const model = askedModel(MODEL_CATALOG, body, request);
  return preflightJob(body, countJob(body, read, model), read, model, defaultWindow);
}

const modelWhere = (isWanted: (model: Model) => boolean) => {
  const model = MODEL_CATALOG.list().find(isWanted);
  if (model === undefined) throw new Error('the catalog has no such model');
  return model;
};
const limited = modelWhere(
  (model) => model.exactEncoding && model.maxOutputTokens !== null && model.windowType === 'shared_sum',
);

describe('defaults', () => {
  test('of a known model come from the catalog', () => {
    expect(jobOf({ model: limited.id })).toMatchObject({
      model: limited.id,
      family: limited.family,
      encoding: limited.encoding,
      count: 'request',
      fit: {
        strategies: ['truncate'],
        contextWindowTokens: limited.contextWindowTokens,
        maxOutputTokens: limited.maxOutputTokens,
        minOutputTokens: 64,
        bufferTokens: 300,
      },
    });
    expect(jobOf({ model: limited.id }).fit).not.toHaveProperty('budgetTokens');
  });

  test('of an unknown model stand in for it', () => {
    expect(jobOf({ model: 'new-1', context_window: 5000 })).toMatchObject({
      family: undefined,
      encoding: 'o200k_base',
      fit: { contextWindowTokens: 5000, maxOutputTokens: 8192 },
    });
  });

  test('of a model without an output limit of its own', () => {
    const unlimited = modelWhere(({ maxOutputTokens }) => maxOutputTokens === null);
    expect(jobOf({ model: unlimited.id }).fit.maxOutputTokens).toBe(8192);
  });
});

describe('explicit options', () => {
  test('win over the catalog, 0 and negative budgets included', () => {
    const options = {
      model: limited.id,
      encoding: 'gpt2',
      context_window: 0,
      budget_tokens: -1,
      max_output_tokens: 0,
      min_output_tokens: 0,
      buffer_tokens: 0,
      strategy: 'drop_turns',
      count: 'content',
    };
    expect(jobOf(options)).toMatchObject({
      encoding: 'gpt2',
      count: 'content',
      fit: {
        strategies: ['drop_turns'],
        contextWindowTokens: 0,
        budgetTokens: -1,
        maxOutputTokens: 0,
        minOutputTokens: 0,
        bufferTokens: 0,
      },
    });
  });

  test('of strategies are passed on, and what names no message is refused', () => {
    const options = {
      budget_tokens: 9,
      pins: [0],
      truncate: { max_min: true, weights: [{ index: 1, weight: 2 }] },
    };
    const messages = Array.from({ length: 2 }, () => ({ role: 'user', texts: [], attachments: [] }));
    const read = { format, request: {}, conversation: { ...conversation, messages } };
    const fitOf = (body: JsonObject) => {
      const model = askedModel(MODEL_CATALOG, body, read.request);
      return preflightJob(body, countJob(body, read, model), read, model, undefined).fit;
    };
    expect(fitOf(options)).toMatchObject({ pins: [0], isMaxMin: true, weights: [{ index: 1, weight: 2 }] });
    expect(
      fitOf({ budget_tokens: 9, strategy: 'trim', trim: { start_on: 'user', repair: true } }).window,
    ).toEqual({
      startOn: ['user'],
      pinsNewestUser: true,
      shortens: false,
      repairs: true,
    });
    for (const wrong of [{ pins: [0, 2] }, { truncate: { weights: [{ index: 2, weight: 1 }] } }])
      expect(() => fitOf({ budget_tokens: 9, ...wrong } as JsonObject)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
  });

  test('of attachments come before all strategies', () => {
    const strategiesOf = (body: JsonObject) => jobOf({ budget_tokens: 9, ...body }).fit.strategies;
    expect(strategiesOf({ attachments: 'elide_oldest', strategy: ['trim'] })).toEqual([
      'elide_attachments',
      'trim',
    ]);
    expect(strategiesOf({ attachments: 'keep', strategy: ['trim'] })).toEqual(['trim']);
    expect(
      strategiesOf({ attachments: 'elide_oldest', strategy: ['drop_turns', 'elide_attachments'] }),
    ).toEqual(['elide_attachments', 'drop_turns']);
  });

  test.each<[JsonObject, string | undefined]>([
    [{ trim: { shorten: true } }, '/trim'],
    [{ strategy: 'drop_turns', truncate: { cut: { user: 'tail' } } }, '/truncate/cut'],
    [{ strategy: ['trim', 'drop_turns'], truncate: { max_min: true } }, '/truncate/max_min'],
    [{ strategy: 'trim', truncate: { weights: [] } }, '/truncate/weights'],
    [{ strategy: 'trim', truncate: { cut: { user: 'tail' } } }, undefined],
    [{ strategy: ['drop_turns', 'truncate'], truncate: { cut: {}, max_min: true } }, undefined],
  ])('that none of the strategies looks at are refused: %j', (body, pointer) => {
    const fit = () => jobOf({ budget_tokens: 9, ...body });
    if (pointer === undefined) expect(fit).not.toThrow();
    else
      expect(fit).toThrow(
        expect.objectContaining({ code: 'invalid_request', issues: [expect.objectContaining({ pointer })] }),
      );
  });

  test('win over the request, which wins over the catalog', () => {
    const request = { model: limited.id, max_tokens: 7 };
    expect(jobOf({}, request)).toMatchObject({ model: limited.id, fit: { maxOutputTokens: 7 } });
    expect(jobOf({}, { ...request, max_completion_tokens: 9 }).fit.maxOutputTokens).toBe(9);
    expect(jobOf({ max_output_tokens: 5 }, request).fit.maxOutputTokens).toBe(5);
    expect(jobOf({ model: 'other', context_window: 1 }, request).model).toBe('other');
  });

  test.each([-1, 1.5, '7', null])('do not include an output of %j in the request', (max_tokens) => {
    expect(jobOf({ model: limited.id }, { max_tokens }).fit.maxOutputTokens).toBe(limited.maxOutputTokens);
  });
});

describe('without any window', () => {
  test('the request is refused, with the nearest names', () => {
    expect(() => jobOf({ model: 'gpt-4.1-mimi' })).toThrow(
      expect.objectContaining({
        code: 'context_window_required',
        publicDetail: expect.stringContaining('gpt-4.1-mini'),
        issues: [expect.objectContaining({ pointer: '/context_window' })],
      }),
    );
    expect(() => jobOf({})).toThrow(expect.objectContaining({ code: 'context_window_required' }));
  });

  test('a budget is enough', () => {
    expect(jobOf({ budget_tokens: 100 }).fit).toMatchObject({ contextWindowTokens: null, budgetTokens: 100 });
  });

  test("the server's stands in, but only for models outside the catalog", () => {
    expect(jobOf({}, {}, 4096).fit.contextWindowTokens).toBe(4096);
    expect(jobOf({ model: limited.id }, {}, 1).fit.contextWindowTokens).toBe(limited.contextWindowTokens);
  });
});

describe('the encoding', () => {
  test('is exact when it is the model’s own or was asked for', () => {
    const standIn = modelWhere(({ exactEncoding }) => !exactEncoding);
    const encodingOf = (model: string | undefined, encoding?: string) =>
      resolveEncoding(askedModel(MODEL_CATALOG, { ...(model && { model }) }, {}), encoding);
    expect(encodingOf(limited.id)).toEqual({ encoding: limited.encoding, isExact: true });
    expect(encodingOf(standIn.id).isExact).toBe(false);
    expect(encodingOf(undefined)).toMatchObject({
      encoding: 'o200k_base',
      isExact: false,
      estimate: { rule: 'unknown' },
    });
    expect(encodingOf('new-1', 'gpt2')).toEqual({ encoding: 'gpt2', isExact: true });
  });

  test.each(['o900k_base', '__proto__', 'constructor', ''])('%j is unknown', (encoding) => {
    expect(() => resolveEncoding({ name: undefined, known: undefined }, encoding)).toThrow(
      expect.objectContaining({
        code: 'unknown_encoding',
        issues: [expect.objectContaining({ pointer: '/encoding' })],
      }),
    );
  });
});

describe('unknown_model is warned of', () => {
  test.each([
    [{ model: 'new-1' }, true, 1],
    [{ model: 'new-1', context_window: 1 }, true, 1],
    [{ model: 'new-1', encoding: 'gpt2' }, true, 1],
    [{ model: 'new-1', encoding: 'gpt2', context_window: 1 }, true, 0],
    [{ encoding: 'gpt2', budget_tokens: 1 }, true, 0],
    [{ encoding: 'gpt2' }, false, 0],
    [{}, false, 1],
    [{ model: limited.id }, true, 0],
  ])('%j, needing a window: %j, %i times', (body: JsonObject, needsWindow, times) => {
    const warnings = modelWarnings(body, askedModel(MODEL_CATALOG, body, {}), needsWindow);
    expect(warnings.map(({ code }) => code)).toEqual(Array(times).fill('unknown_model'));
  });
});
