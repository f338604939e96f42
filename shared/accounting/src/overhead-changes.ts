import type { JsonRule, OverheadRule, ToolSchemaRule } from './overhead-rules.js';
import { type RuleChange, RuleFieldError, refuseForeignFields, rulesChanged } from './rule-changes.js';

/** Rules of what stands around messages, with an operator's changes. Throws RuleChangeError. */
export function withOverheadChanges(
  rules: readonly OverheadRule[],
  changes: readonly RuleChange[],
): readonly OverheadRule[] {
  return rulesChanged(rules, changes, (base, id, { toolSchemas = {}, ...fields }) => {
    refuseForeignFields(base, fields);
    return { ...base, ...fields, id, toolSchemas: changedSchemas(base, toolSchemas as RuleChange['fields']) };
  });
}

function changedSchemas({ id, toolSchemas }: OverheadRule, fields: RuleChange['fields']): ToolSchemaRule {
  for (const name of Object.keys(fields))
    if (!Object.hasOwn(toolSchemas, name))
      throw new RuleFieldError(['toolSchemas', name], `is no field of tool schemas like those of ${id}`);
  return { ...toolSchemas, ...fields, ...instructionsIn(fields) } as ToolSchemaRule;
}

/** What an operator says of instructions holds for every model of the rule; whether a tool is forced or not, where that is not told apart. */
function instructionsIn({
  instructionTokens: usual,
  forcedInstructionTokens: forced,
}: RuleChange['fields']): Partial<JsonRule> {
  if (usual === undefined && forced === undefined) return {};
  return {
    instructionTokens: Number(usual ?? forced),
    forcedInstructionTokens: Number(forced ?? usual),
    isByModel: false,
  };
}
