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
    /** Position of the change. */
    readonly index: number,
    /** Names that lead to the field. */
    readonly path: readonly string[],
    message: string,
  ) {
    super(message);
  }
}

/** Told by whoever changes a rule, where a field is not as it must be. */
export class RuleFieldError extends Error {
  constructor(
    readonly path: readonly string[],
    message: string,
  ) {
    super(message);
  }
}

/**
 * Rules with an operator's changes: a known id is changed where it stands, a new one comes in front, as one that `change` makes of
 * the rule that it is like. Throws RuleChangeError.
 */
export function rulesChanged<Rule extends { readonly id: string }>(
  rules: readonly Rule[],
  changes: readonly RuleChange[],
  change: (base: Rule, id: string, fields: RuleChange['fields']) => Rule,
): readonly Rule[] {
  const changed = new Map(rules.map((rule) => [rule.id, rule]));
  const added: Rule[] = [];
  const seen = new Set<string>();
  for (const [index, { id, like, fields }] of changes.entries()) {
    const base = rules.find((rule) => rule.id === (like ?? id));
    if (base === undefined)
      throw like === undefined
        ? new RuleChangeError(index, ['like'], 'is required of a new rule')
        : new RuleChangeError(index, ['like'], 'names no rule');
    if (seen.has(id)) throw new RuleChangeError(index, ['id'], 'stands twice');
    seen.add(id);
    const rule = placed(index, () => change(base, id, fields));
    if (changed.has(id)) changed.set(id, rule);
    else added.push(rule);
  }
  return [...added, ...changed.values()];
}

function placed<Rule>(index: number, make: () => Rule): Rule {
  try {
    return make();
  } catch (error) {
    if (error instanceof RuleFieldError) throw new RuleChangeError(index, error.path, error.message);
    throw error;
  }
}

/** Throws RuleFieldError for the first of `fields` that the rule has not. `optional` are fields that it may have beside its own. */
export function refuseForeignFields(
  base: { readonly id: string },
  fields: RuleChange['fields'],
  optional: readonly string[] = [],
): void {
  for (const name of Object.keys(fields))
    if (!Object.hasOwn(base, name) && !optional.includes(name))
      throw new RuleFieldError([name], `is no field of a rule like ${base.id}`);
}
