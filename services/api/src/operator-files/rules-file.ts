import {
  ACCOUNTING_RULES,
  type AccountingRules,
  type RuleChange,
  RuleChangeError,
  withMediaChanges,
  withOverheadChanges,
  withTextRatioChanges,
} from '@preflight/accounting';
import { type RulesFile, rulesFile as rulesFileSchema } from '@preflight/contracts';
import type { Config } from '@preflight/runtime';
import type { PricingDefaults } from '../attachments/media-pricing.js';
import { readOperatorFile } from './operator-file.js';

/**
 * The rules with what the operator's file says (`PREFLIGHT_RULES_FILE`), or as they are shipped without one. Throws
 * ConfigError with every fault that the schema finds, else with the first, and its place in the file.
 */
export function readRules(path: string | undefined): AccountingRules {
  if (path === undefined) return ACCOUNTING_RULES;
  const { content, date, faulty } = readOperatorFile<RulesFile>(
    'PREFLIGHT_RULES_FILE',
    path,
    rulesFileSchema,
  );
  const ofFile = { source: path, date: date.slice(0, 'YYYY-MM'.length) };
  const changed = <Rule>(
    list: keyof RulesFile,
    rules: readonly Rule[],
    change: (rules: readonly Rule[], changes: readonly RuleChange[]) => readonly Rule[],
  ): readonly Rule[] => {
    try {
      const changes = content[list] ?? [];
      return change(
        rules,
        changes.map(({ id, like, ...fields }) => ({ id, like, fields: { ...ofFile, ...inCode(fields) } })),
      );
    } catch (error) {
      if (!(error instanceof RuleChangeError)) throw error;
      const pointer = ['', list, error.index, ...error.path.map(onTheWire)].join('/');
      throw faulty([{ pointer, detail: error.message }]);
    }
  };
  return {
    media: changed('rules', ACCOUNTING_RULES.media, withMediaChanges),
    overhead: changed('overhead_rules', ACCOUNTING_RULES.overhead, withOverheadChanges),
    textRatios: changed('text_ratios', ACCOUNTING_RULES.textRatios, withTextRatioChanges),
  };
}

/** How attachments are counted where a request does not say. Throws ConfigError for a faulty file. */
export function readPricing({
  accounting,
  rulesFile,
}: Pick<Config, 'accounting' | 'rulesFile'>): PricingDefaults {
  return { accounting, rules: readRules(rulesFile) };
}

/** Fields whose members are levels, named by providers. */
const OF_LEVELS = new Set(['levels', 'page_tokens', 'frame_tokens', 'fixed_levels', 'added_levels']);

/** Names of fields as the code has them, through all depths. */
function inCode(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      OF_LEVELS.has(name)
        ? Object.fromEntries(Object.entries(value as object).map(([level, of]) => [level, valueInCode(of)]))
        : valueInCode(value),
    ]),
  );
}

function valueInCode(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? inCode(value as Record<string, unknown>) : value;
}

function onTheWire(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
