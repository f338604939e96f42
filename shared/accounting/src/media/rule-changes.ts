import type { MediaRule } from './media-rule.js';

/** What an operator says of a rule, in the words of the code. */
export interface RuleChange {
  readonly id: string;
  /** A known rule that a new one is like, in all that is not said. */
  readonly like?: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A change that cannot be made. */
export class RuleChangeError extends Error {
  override readonly name = 'RuleChangeError';

  constructor(
    readonly index: number,
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Fields that a rule may have beside those that it has. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  image: ['assumedFor', 'refusedAbovePx', 'manyImages', 'fidelityTokens'],
  pdf: ['assumedFor', 'pageText', 'citedPageTokens', 'pageLimit'],
  audio: ['assumedFor', 'assistantTokensPerSecond'],
  video: ['assumedFor'],
  text: ['assumedFor'],
};

/** The rules with an operator's changes: a known id is changed where it stands, a new one comes in front. Throws RuleChangeError. */
export function withRuleChanges(
  rules: readonly MediaRule[],
  changes: readonly RuleChange[],
): readonly MediaRule[] {
  const changed = new Map(rules.map((rule) => [rule.id, rule]));
  const added: MediaRule[] = [];
  const seen = new Set<string>();
  for (const [index, { id, like, fields }] of changes.entries()) {
    const base = rules.find((rule) => rule.id === (like ?? id));
    if (base === undefined)
      throw like === undefined
        ? new RuleChangeError(index, 'like', 'is required of a new rule')
        : new RuleChangeError(index, 'like', 'names no rule');
    if (seen.has(id)) throw new RuleChangeError(index, 'id', 'stands twice');
    seen.add(id);
    const rule = changedRule(base, id, fields, index);
    if (changed.has(id)) changed.set(id, rule);
    else added.push(rule);
  }
  return [...added, ...changed.values()];
}

function changedRule(base: MediaRule, id: string, fields: RuleChange['fields'], index: number): MediaRule {
  for (const name of Object.keys(fields))
    if (!Object.hasOwn(base, name) && !OPTIONAL[base.kind]?.includes(name))
      throw new RuleChangeError(index, name, `is no field of a rule like ${base.id}`);
  const rule = { ...base, ...fields, id } as MediaRule;
  if (rule.id === base.id && base.assumedFor?.includes('*') && !rule.assumedFor?.includes('*'))
    throw new RuleChangeError(index, 'assumedFor', 'must keep `*`, or some models have no rule');
  const { levels, names } = levelsOf(rule);
  for (const { field, name } of names)
    if (!Object.hasOwn(levels, name)) throw new RuleChangeError(index, field, 'names no level of the rule');
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
