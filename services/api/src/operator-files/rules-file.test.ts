import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEDIA_RULES, providerFigure, rulesForModel } from '@preflight/accounting';
import { ConfigError } from '@preflight/runtime';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/harness/temp-dir.js';
import { readMediaRules } from './rules-file.js';

async function fileOf(content: unknown): Promise<string> {
  const path = join(await tempDir(), 'rules.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const image = { kind: 'image', widthPx: 1024, heightPx: 1024 } as const;

test('without a file, the rules are those that are shipped', () => {
  expect(readMediaRules(undefined)).toBe(MEDIA_RULES);
});

test('a file changes rules and adds some', async () => {
  const path = await fileOf({
    rules: [
      { id: 'openai-tiles-gpt-4o', tile_tokens: 200, date: '2027-01' },
      {
        id: 'ours',
        like: 'gemini-3-image',
        models: ['our-model'],
        levels: { low: 10, ultra_high: 90 },
        unspecified: 'ultra_high',
      },
      { id: 'openai-patches-gpt-5-mini', levels: { low: {}, high: { max_patches: 100 } } },
    ],
  });
  const rules = readMediaRules(path);
  const figureOf = (model: string) => providerFigure(image, rulesForModel(rules, model, undefined), {});
  expect(figureOf('gpt-4o')).toMatchObject({ tokens: 85 + 4 * 200, date: '2027-01' });
  expect(figureOf('our-model')).toMatchObject({ tokens: 81, rule: 'ours' });
  expect(figureOf('gpt-5-mini').tokens).toBeLessThanOrEqual(120);
  expect(figureOf('o3')).toMatchObject({ tokens: 675 });
});

test.each([
  ['{', 'the file', /is not valid JSON/],
  ['[]', 'the file', /must be an object, not an array/],
  [{}, '/rules', /is missing/],
  [{ rules: [{ id: 'new' }] }, '/rules/0/like', /required of a new rule/],
  [{ rules: [{ id: 'new', like: 'none' }] }, '/rules/0/like', /names no rule/],
  [{ rules: [{ id: 'anthropic-high', tile_tokens: 1 }] }, '/rules/0/tile_tokens', /no field/],
  [{ rules: [{ id: 'anthropic-high', max_tokens: 0 }] }, '/rules/0/max_tokens', /must be more than 0, not 0/],
  [{ rules: [{ id: 'anthropic-high', prize: 1 }] }, '/rules/0/prize', /is not known/],
  [{ rules: [{ id: 'anthropic-high' }, { id: 'anthropic-high' }] }, '/rules/1/id', /twice/],
  [{ rules: [{ id: 'gemini-3-image', unspecified: 'huge' }] }, '/rules/0/unspecified', /no level/],
  [{ rules: [{ id: 'unknown-image', assumed_for: [] }] }, '/rules/0/assumed_for', /must keep/],
])('%j is refused, with the place', async (content, place, words) => {
  const path = await fileOf(content);
  const fault = () => readMediaRules(path);
  expect(fault).toThrow(ConfigError);
  expect(fault).toThrow(`json: ${place}`);
  expect(fault).toThrow(words);
  expect(fault).toThrow('PREFLIGHT_RULES_FILE');
});
