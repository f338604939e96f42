import { MEDIA_RULES, type MediaRule, RuleChangeError, withRuleChanges } from '@preflight/accounting';
import { type RulesFile, rulesFile as rulesFileSchema } from '@preflight/contracts';
import type { Config } from '@preflight/runtime';
import type { PricingDefaults } from '../attachments/media-pricing.js';
import { readOperatorFile } from './operator-file.js';

/**
 * The rules of media with what the operator's file says (`PREFLIGHT_RULES_FILE`), or as they are shipped without one. Throws
 * ConfigError with every fault and its place in the file.
 */
export function readMediaRules(path: string | undefined): readonly MediaRule[] {
  if (path === undefined) return MEDIA_RULES;
  const { content, date, faulty } = readOperatorFile<RulesFile>(
    'PREFLIGHT_RULES_FILE',
    path,
    rulesFileSchema,
  );
  try {
    const changes = content.rules.map(({ id, like, ...fields }) => ({
      ...{ id, like },
      fields: { source: path, date: date.slice(0, 'YYYY-MM'.length), ...inCode(fields) },
    }));
    return withRuleChanges(MEDIA_RULES, changes);
  } catch (error) {
    if (!(error instanceof RuleChangeError)) throw error;
    throw faulty([{ pointer: `/rules/${error.index}/${onTheWire(error.field)}`, detail: error.message }]);
  }
}

/** How attachments are counted where a request does not say. Throws ConfigError for a faulty file. */
export function readPricing({
  accounting,
  rulesFile,
}: Pick<Config, 'accounting' | 'rulesFile'>): PricingDefaults {
  return { accounting, mediaRules: readMediaRules(rulesFile) };
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
