import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ACCOUNTING_RULES,
  overheadRuleFor,
  providerFigure,
  rulesForModel,
  textEstimateFor,
} from '@preflight/accounting';
import { ConfigError } from '@preflight/runtime';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/harness/temp-dir.js';
import { readRules } from './rules-file.js';

async function fileOf(content: unknown): Promise<string> {
  const path = join(await tempDir(), 'rules.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const image = { kind: 'image', widthPx: 1024, heightPx: 1024 } as const;

test('without a file, the rules are those that are shipped', () => {
  expect(readRules(undefined)).toBe(ACCOUNTING_RULES);
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
  const { media: rules } = readRules(path);
  const figureOf = (model: string) => providerFigure(image, rulesForModel(rules, model, undefined), {});
  expect(figureOf('gpt-4o')).toMatchObject({ tokens: 85 + 4 * 200, date: '2027-01' });
  expect(figureOf('our-model')).toMatchObject({ tokens: 81, rule: 'ours' });
  expect(figureOf('gpt-5-mini').tokens).toBeLessThanOrEqual(120);
  expect(figureOf('o3')).toMatchObject({ tokens: 675 });
});

test('a file changes what stands around messages, and how texts are estimated', async () => {
  const prose = { tokens: 1.2, low: 1, high: 1.4 };
  const path = await fileOf({
    overhead_rules: [
      { id: 'claude', message_tokens: 5, tool_schemas: { margin: { fraction: 0.3, tokens: 0 } } },
      { id: 'ours', like: 'per-field', families: ['our-family'], priming_tokens: 9, date: '2027-02' },
    ],
    text_ratios: [
      { id: 'claude-3', ratios: { prose } },
      { id: 'ours', like: 'unknown', models: ['our-model-1.5*'], ratios: { prose } },
    ],
  });
  const { media, overhead, textRatios } = readRules(path);
  expect(media).toEqual(ACCOUNTING_RULES.media);
  expect(overheadRuleFor('claude', 'claude-opus-4-8', overhead)).toMatchObject({
    ...{ id: 'claude', messageTokens: 5, source: path },
    toolSchemas: { margin: { fraction: 0.3 }, instructionTokens: 290, forcedInstructionTokens: 410 },
  });
  expect(overheadRuleFor('our-family', undefined, overhead)).toMatchObject({
    id: 'ours',
    primingTokens: 9,
    date: '2027-02',
  });
  expect(overheadRuleFor('gpt-4o', undefined, overhead)).toEqual(overheadRuleFor('gpt-4o'));
  expect(textEstimateFor('claude-sonnet-4-5', textRatios)).toMatchObject({
    rule: 'claude-3',
    ratios: { prose },
  });
  expect(textEstimateFor('gateway/our-model-1.5-large', textRatios)).toMatchObject({
    rule: 'ours',
    ratios: { prose },
  });
  expect(textEstimateFor('our-model-2', textRatios).rule).toBe('unknown');
});

test('an operator who says what Anthropic says of tools says it for all models', async () => {
  const { overhead } = readRules(
    await fileOf({ overhead_rules: [{ id: 'claude', tool_schemas: { instruction_tokens: 100 } }] }),
  );
  const { toolSchemas } = overheadRuleFor('claude', 'claude-opus-4-8', overhead);
  expect(toolSchemas).toMatchObject({ instructionTokens: 100, forcedInstructionTokens: 100 });
});

test.each([
  ['{', 'the file', /is not valid JSON/],
  ['[]', 'the file', /must be an object, not an array/],
  [
    { overhead_rules: [{ id: 'claude', messages_tokens: 1 }] },
    '/overhead_rules/0/messages_tokens',
    /is not known/,
  ],
  [{ overhead_rules: [{ id: 'ours', like: 'none' }] }, '/overhead_rules/0/like', /names no rule/],
  [
    { overhead_rules: [{ id: 'claude', tool_schemas: { enum_tokens: 1 } }] },
    '/overhead_rules/0/tool_schemas/enum_tokens',
    /no field/,
  ],
  [
    { text_ratios: [{ id: 'gemini', ratios: { prose: { tokens: 1, low: 1.1, high: 1.2 } } }] },
    '/text_ratios/0/ratios/prose/low',
    /must not exceed/,
  ],
  [
    { overhead_rules: [{ id: 'claude', message_tokens: -100_000 }] },
    '/overhead_rules/0/message_tokens',
    /at least 0, not -100000/,
  ],
  [
    { overhead_rules: [{ id: 'per-field', function_role_tokens: -17 }] },
    '/overhead_rules/0/function_role_tokens',
    /at least -16/,
  ],
  [{ text_ratios: [{ id: 'ours', like: 'claude-3' }] }, '/text_ratios/0/models', /required of a new rule/],
  [
    { text_ratios: [{ id: 'ours', like: 'unknown', models: ['*a*a*a*z'] }] },
    '/text_ratios/0/models/0',
    /written as in/,
  ],
  [{ rules: [{ id: 'unknown-image', models: ['*a*a*a*z'] }] }, '/rules/0/models/0', /written as in/],
  [{ text_ratios: [{ id: 'gemini', ratios: { verse: {} } }] }, '/text_ratios/0/ratios/verse', /is not known/],
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
  const fault = () => readRules(path);
  expect(fault).toThrow(ConfigError);
  expect(fault).toThrow(`json: ${place}`);
  expect(fault).toThrow(words);
  expect(fault).toThrow('PREFLIGHT_RULES_FILE');
});
