import { type RuleChange, RuleFieldError, refuseForeignFields, rulesChanged } from '../rule-changes.js';
import type { MediaRule } from './media-rule.js';

/** Fields that a rule may have beside those that it has. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  image: ['assumedFor', 'refusedAbovePx', 'manyImages', 'fidelityTokens'],
  pdf: ['assumedFor', 'pageText', 'citedPageTokens', 'pageLimit'],
  audio: ['assumedFor', 'assistantTokensPerSecond'],
  video: ['assumedFor'],
  text: ['assumedFor'],
};

/** The rules with an operator's changes. Throws RuleChangeError. */
export function withMediaChanges(
  rules: readonly MediaRule[],
  changes: readonly RuleChange[],
): readonly MediaRule[] {
  return rulesChanged(rules, changes, changedRule);
}

function changedRule(base: MediaRule, id: string, fields: RuleChange['fields']): MediaRule {
  refuseForeignFields(base, fields, OPTIONAL[base.kind]);
  const rule = { ...base, ...fields, id } as MediaRule;
  if (rule.id === base.id && base.assumedFor?.includes('*') && !rule.assumedFor?.includes('*'))
    throw new RuleFieldError(['assumedFor'], 'must keep `*`, or some models have no rule');
  const { levels, names } = levelsOf(rule);
  for (const { field, name } of names)
    if (!Object.hasOwn(levels, name)) throw new RuleFieldError([field], 'names no level of the rule');
  return rule;
}

/** The levels of a rule, and its words that must be among them. */
function levelsOf(rule: MediaRule): {
  readonly levels: object;
  readonly names: readonly { readonly field: string; readonly name: string }[];
} {
  if (rule.kind === 'pdf') return { levels: rule.pageTokens, names: [{ field: 'auto', name: rule.auto }] };
  if (rule.kind === 'video')
    return { levels: rule.frameTokens, names: [{ field: 'unspecified', name: rule.unspecified }] };
  if (rule.kind === 'image' && rule.shape === 'patches')
    return { levels: rule.levels, names: [{ field: 'auto', name: rule.auto }] };
  if (rule.kind === 'image' && rule.shape === 'aspect_grid')
    return { levels: rule.levels, names: [{ field: 'unspecified', name: rule.unspecified }] };
  return { levels: {}, names: [] };
}
