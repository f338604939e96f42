import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { catalogText } from '../scripts/write-catalog.mjs';
import { CATALOG } from './catalog.generated.js';
import { MODEL_CATALOG } from './index.js';

it('is what the facts say (node shared/models/scripts/write-catalog.mjs)', () => {
  expect(readFileSync(join(import.meta.dirname, 'catalog.generated.ts'), 'utf8')).toBe(catalogText());
});

it('names each model once, in lower case, and finds it', () => {
  const ids = CATALOG.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id !== id.toLowerCase())).toEqual([]);
  for (const model of CATALOG) expect(MODEL_CATALOG.resolve(model.id)?.model).toBe(model);
});

it('has a source and a date for every model and every price', () => {
  for (const { id, source, retrievedAt, prices } of CATALOG) {
    expect(source, id).not.toBe('');
    expect(retrievedAt, id).toMatch(/^2026-\d\d$/);
    if (prices !== null) expect(prices, id).toMatchObject({ source: /./, date: /^2026-\d\d-\d\d$/ });
  }
});

it('has figures that can be', () => {
  for (const model of CATALOG) {
    const { id, windowType, contextWindowTokens, maxInputTokens, maxOutputTokens, prices } = model;
    expect(contextWindowTokens, id).toBeGreaterThanOrEqual(4_096);
    expect(maxOutputTokens ?? 1, id).toBeLessThanOrEqual(contextWindowTokens);
    const isCapped = windowType === 'input_capped' || windowType === 'separate';
    expect(maxInputTokens !== null, id).toBe(isCapped);
    if (windowType === 'input_capped')
      expect(maxInputTokens, id).toBe(contextWindowTokens - (maxOutputTokens ?? 0));
    if (prices === null) continue;
    expect(prices.output, id).toBeGreaterThan(0);
    expect(prices.cachedInput ?? 0, id).toBeLessThan(prices.input);
    if (prices.longInput) expect(prices.longInput.input, id).toBeGreaterThan(prices.input);
  }
});

it('says where an encoding stands in for an unknown one', () => {
  const encodingOf = (name: string) => MODEL_CATALOG.resolve(name)?.model;
  expect(encodingOf('claude-opus-5')).toMatchObject({ encoding: 'o200k_base', exactEncoding: false });
  expect(encodingOf('gpt-4')).toMatchObject({ encoding: 'cl100k_base', exactEncoding: true });
});
