import { describe, expect, it } from 'vitest';
import {
  MEDIA_RULES,
  type MediaFigure,
  type MediaRule,
  plainModelName,
  providerFigure,
  rulesForModel,
} from '../index.js';

const figureOf = (
  model: string | undefined,
  facts: Parameters<typeof providerFigure>[0],
  conditions: Parameters<typeof providerFigure>[2] = {},
  format?: string,
): MediaFigure => providerFigure(facts, rulesForModel(MEDIA_RULES, model, format), conditions);

const image = (widthPx: number, heightPx: number) => ({ kind: 'image', widthPx, heightPx }) as const;

describe('which rule holds for a model', () => {
  it.each([
    ['gpt-4o', 'openai-tiles-gpt-4o', false],
    ['GPT-4o-2024-08-06', 'openai-tiles-gpt-4o', false],
    ['azure/gpt-4o-mini', 'openai-tiles-gpt-4o-mini', false],
    ['ft:gpt-4o-mini-2024-07-18:acme::abc', 'openai-tiles-gpt-4o-mini', false],
    ['gpt-5', 'openai-tiles-gpt-5', false],
    ['gpt-5-mini-2025-08-07', 'openai-patches-gpt-5-mini', false],
    ['gpt-5-codex', 'openai-tiles-gpt-5', true],
    ['gpt-6-astra', 'openai-patches-gpt-6', false],
    ['gpt-6.2-sol', 'openai-patches-gpt-6', true],
    ['gpt-4-turbo-2024-04-09', 'openai-tiles-gpt-4o', true],
    ['claude-opus-4-7', 'anthropic-high', false],
    ['claude-opus-5-5-20261001', 'anthropic-high', false],
    ['claude-fable-5-1', 'anthropic-high', false],
    ['claude-opus-6', 'anthropic-high', true],
    ['claude-sonnet-4-20250514', 'anthropic-standard', false],
    ['openrouter/anthropic/claude-3.5-sonnet', 'anthropic-standard', false],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'anthropic-standard', false],
    ['claude-haiku-3-5', 'anthropic-standard', false],
    ['gemini-3.8-flash', 'gemini-3-image', false],
    ['models/gemini-2.5-flash-lite', 'gemini-2.5-crops', false],
    ['gemini-4-pro', 'gemini-3-image', true],
    ['llama-4-scout', 'unknown-image', true],
    ['', 'unknown-image', true],
    [undefined, 'unknown-image', true],
  ])('%s: %s', (model, rule, isAssumed) => {
    const { image: held } = rulesForModel(MEDIA_RULES, model, undefined);
    expect([held.rule.id, held.isAssumed]).toEqual([rule, isAssumed]);
  });

  it('prefers rules of the format', () => {
    expect(rulesForModel(MEDIA_RULES, 'claude-opus-5', 'bedrock-converse').pdf.rule.id).toBe('converse-pdf');
    expect(rulesForModel(MEDIA_RULES, 'claude-opus-5', 'anthropic-messages').pdf.rule.id).toBe(
      'anthropic-pdf',
    );
  });

  it('takes no name for another, however many there were', () => {
    const idOf = (model: string, rules = MEDIA_RULES) => rulesForModel(rules, model, undefined).image.rule.id;
    const others = MEDIA_RULES.filter(({ id }) => id !== 'gemini-3-image');
    const dated = Array.from({ length: 1_500 }, (_, i) => idOf(`claude-haiku-4-5-2025${i}`));
    expect(new Set(dated)).toEqual(new Set(['anthropic-standard']));
    for (const _ of ['new', 'known']) {
      expect(idOf('claude-haiku-4-5')).toBe('anthropic-standard');
      expect(idOf('gemini-4-pro')).toBe('gemini-3-image');
      expect(idOf('gemini-4-pro', others)).toBe('unknown-image');
    }
  });

  it('is quick about long names', () => {
    expect(plainModelName('a/'.repeat(1_000_000)).length).toBeLessThanOrEqual(200);
  });
});

describe('every rule', () => {
  it('is known by one id, and has a source and a month', () => {
    expect(new Set(MEDIA_RULES.map(({ id }) => id)).size).toBe(MEDIA_RULES.length);
    for (const { source, date } of MEDIA_RULES) {
      expect(source).not.toBe('');
      expect(date).toMatch(/^20\d\d-\d\d$/);
    }
  });

  it('is data', () => expect(JSON.parse(JSON.stringify(MEDIA_RULES))).toEqual(MEDIA_RULES));

  it('holds for some model', () => {
    for (const rule of MEDIA_RULES) {
      const model = [...rule.models, ...(rule.assumedFor ?? [])][0]?.replaceAll('*', '9') as string;
      expect(rulesForModel(MEDIA_RULES, model, rule.formats?.[0])[rule.kind].rule.id, rule.id).toBe(rule.id);
    }
  });
});

const MODELS = MEDIA_RULES.flatMap(({ models }) => models).map((pattern) => pattern.replaceAll('*', '9'));
const SIDES = [1, 2, 27, 28, 29, 255, 384, 385, 512, 768, 1_000, 2_048, 2_577, 7_999, 65_535];
const DETAILS = [undefined, 'low', 'high', 'original', 'auto', 'nonsense'];
const RESOLUTIONS = [undefined, 'low', 'MEDIA_RESOLUTION_MEDIUM', 'high', 'ultra_high'];

describe('figures of images', () => {
  it('never cost nothing, and lie between their bounds', () => {
    const wrong: object[] = [];
    for (const model of [...new Set(MODELS), undefined])
      for (const width of SIDES)
        for (const height of SIDES)
          for (const [i, detail] of DETAILS.entries()) {
            const conditions = {
              ...(detail && { detail }),
              mediaResolution: RESOLUTIONS[i] ?? 'unspecified',
            };
            const figure = figureOf(model, image(width, height), conditions);
            if (figure.tokens === null) continue;
            const { low, tokens, high } = figure;
            const isInOrder = tokens > 0 && low <= tokens && tokens <= high;
            if (!isInOrder) wrong.push({ model, width, height, detail, low, tokens, high });
          }
    expect(wrong).toEqual([]);
  });

  it('of unseen ones bound those of all that can be seen', () => {
    const wrong: object[] = [];
    for (const model of new Set(MODELS))
      for (const detail of DETAILS) {
        const conditions = detail === undefined ? {} : { detail };
        const bound = figureOf(model, { kind: 'unreadable', as: 'image', reason: 'not_here' }, conditions);
        expect(bound).toMatchObject({ basis: 'bound' });
        for (const width of SIDES.filter((side) => side <= 3_072))
          for (const height of SIDES.filter((side) => side <= 3_072)) {
            const { tokens } = figureOf(model, image(width, height), conditions);
            if (tokens !== null && tokens > bound.high) wrong.push({ model, width, height, detail, tokens });
          }
      }
    expect(wrong).toEqual([]);
  });

  it('are refused for long sides where there are many images', () => {
    const facts = image(2_001, 100);
    expect(figureOf('claude-opus-4-7', facts, { imageCount: 20 }).tokens).toBe(288);
    expect(figureOf('claude-opus-4-7', facts, { imageCount: 21 })).toMatchObject({
      tokens: null,
      error: 'image_dimension_limit',
    });
  });

  it('are estimates where a rule is only assumed', () => {
    expect(figureOf('gpt-6-sol', image(1_024, 1_024))).toMatchObject({ tokens: 1_229, basis: 'estimate' });
    expect(figureOf('gpt-6-astra', image(1_024, 1_024))).toMatchObject({ tokens: 1_229, basis: 'formula' });
  });
});

describe('figures of other media', () => {
  it.each(['pdf', 'audio', 'video', 'text', undefined] as const)('bound what cannot be seen: %s', (as) => {
    for (const model of [...new Set(MODELS), undefined]) {
      const facts = { kind: 'unreadable', reason: 'not_here', ...(as && { as }) } as const;
      const figure = figureOf(model, facts);
      expect(figure).toMatchObject({ basis: 'bound' });
      expect(figure.tokens).toBeGreaterThan(0);
      expect(figure.high).toBeGreaterThanOrEqual(figure.tokens as number);
    }
  });

  it('of pages without their text lie between those of empty and of full pages', () => {
    expect(figureOf('claude-haiku-4-5', { kind: 'pdf', pages: 10 })).toMatchObject({
      tokens: 30_000,
      low: 15_740,
      high: 45_680,
      basis: 'estimate',
    });
    expect(figureOf('claude-haiku-4-5', { kind: 'pdf', pages: 10 }, { scanned: true }).tokens).toBe(15_740);
    expect(figureOf('gpt-4o', { kind: 'pdf', pages: 2, textTokens: 100 }).tokens).toBe(1_630);
  });

  it('of Converse are text, and more with citations', () => {
    const facts = { kind: 'pdf', pages: 3 } as const;
    expect(figureOf('claude-opus-4-5', facts, {}, 'bedrock-converse').tokens).toBe(999);
    expect(figureOf('claude-opus-4-5', facts, { citations: true }, 'bedrock-converse').tokens).toBe(6_999);
  });

  it('of video without word of its sound are bounded by those without', () => {
    const figure = figureOf('gemini-2.5-pro', { kind: 'video', seconds: 10 });
    expect(figure).toMatchObject({ tokens: 2_900, low: 2_580 });
  });
});

describe('rules of an operator', () => {
  it('may hold for single models', () => {
    const known = MEDIA_RULES.find(({ id }) => id === 'gemini-audio') as MediaRule;
    const own = { ...known, id: 'own', models: ['whisper-large'], tokensPerSecond: 50 } as MediaRule;
    const rules = rulesForModel([...MEDIA_RULES, own], 'whisper-large', undefined);
    expect(providerFigure({ kind: 'audio', seconds: 2 }, rules, {})).toMatchObject({
      tokens: 100,
      rule: 'own',
    });
  });
});
