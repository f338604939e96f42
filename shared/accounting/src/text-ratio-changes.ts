import { TEXT_KINDS, type TokenRatio } from '@preflight/core';
import { type RuleChange, RuleFieldError, refuseForeignFields, rulesChanged } from './rule-changes.js';
import type { TextRatioRule } from './text-ratio-rules.js';

/** Ratios by which texts are estimated, with an operator's changes; `models` are names in which `*` stands for anything, and which a new rule must tell, since it stands
 * in front. Throws RuleChangeError. */
export function withTextRatioChanges(
  rules: readonly TextRatioRule[],
  changes: readonly RuleChange[],
): readonly TextRatioRule[] {
  return rulesChanged(rules, changes, (base, id, fields) => {
    refuseForeignFields(base, fields);
    if (id !== base.id && fields.models === undefined)
      throw new RuleFieldError(['models'], 'is required of a new rule');
    const { models, ratios, ...others } = fields;
    const rule: TextRatioRule = {
      ...base,
      ...others,
      ...{ id, ratios: { ...base.ratios, ...(ratios as Partial<TextRatioRule['ratios']> | undefined) } },
      ...(models !== undefined && { models: namedBy(models as readonly string[]) }),
    };
    for (const kind of TEXT_KINDS) refuseDisorder(rule.ratios[kind], ['ratios', kind]);
    return rule;
  });
}

function refuseDisorder({ tokens, low, high }: TokenRatio, path: readonly string[]): void {
  if (low > tokens) throw new RuleFieldError([...path, 'low'], 'must not exceed `tokens`');
  if (high < tokens) throw new RuleFieldError([...path, 'high'], 'must not be less than `tokens`');
}

/** Whatever stands before a slash is a gateway's prefix, and behind a hyphen, `@` or `:` what tells a snapshot. */
function namedBy(patterns: readonly string[]): RegExp {
  const sources = patterns.map((pattern) =>
    pattern
      .replaceAll('.', '-')
      .split('*')
      .map((literal) => literal.replace(/[^\w-]/g, '\\$&'))
      .join('.*'),
  );
  return new RegExp(`^(?:.*/)?(?:${sources.join('|')})(?:[-@:].*)?$`);
}
