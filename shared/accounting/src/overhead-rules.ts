import { claudeToolInstructions } from './claude-tool-instructions.js';
import type { Margin } from './figure.js';

/** Version of all rules in this package, to be named wherever a figure of theirs is stored. */
export const RULES_VERSION = '2026-11';

/** What a figure rests on: `formula` is a published rule or one that reproduces live checks, `estimate` is our guess. */
export type Basis = 'formula' | 'estimate';

/** Tokens that a family of models adds around the texts of a conversation (accounting.md §2). */
export interface OverheadRule {
  readonly id: string;
  /** Families of the model catalog that follow the rule. */
  readonly families: readonly string[];
  readonly basis: Basis;
  readonly margin: Margin;
  /** Each message, beside its encoded role and content. */
  readonly messageTokens: number;
  /** A message with a name, beside the encoded name. */
  readonly nameTokens: number;
  /** Once, if instructions stand beside the messages: they are formatted like a message of their own. */
  readonly instructionTokens: number;
  /** Once a request, for the start of the reply. */
  readonly primingTokens: number;
  /** A message of the legacy role `function`. */
  readonly functionRoleTokens: number;
  /** A legacy `function_call`, beside its encoded name and arguments. */
  readonly functionCallTokens: number;
  /** Each of `tool_calls`, beside its encoded name and arguments; inferred from the legacy form, never measured. */
  readonly toolCallTokens: number;
  readonly toolSchemas: ToolSchemaRule;
  readonly source: string;
  readonly date: string;
}

/** What tool schemas cost: unpublished, inferred by users. */
export type ToolSchemaRule = DeclarationRule | PerFieldRule | JsonRule;

interface ToolSchemaFacts {
  readonly basis: Basis;
  readonly margin: Margin;
  /** `tool_choice` or `function_call` is `none`. */
  readonly choiceNoneTokens: number;
  /** `tool_choice` names a tool, beside the encoded name. */
  readonly choiceToolTokens: number;
  /** The legacy `function_call` names a function, beside the encoded name. */
  readonly choiceFunctionTokens: number;
  readonly source: string;
  readonly date: string;
}

/** Schemas are rendered as TypeScript declarations, and the text is counted. */
export interface DeclarationRule extends ToolSchemaFacts {
  readonly kind: 'declaration';
  /** Once, beside the declarations. */
  readonly wrapperTokens: number;
  /** If any system message exists, because the declarations then join it. */
  readonly systemMessageTokens: number;
}

/** Constants for each function, property and enum, and the count of their names and descriptions. */
export interface PerFieldRule extends ToolSchemaFacts {
  readonly kind: 'per_field';
  readonly functionTokens: number;
  /** A function that has properties at all. */
  readonly propertiesTokens: number;
  readonly propertyTokens: number;
  readonly enumTokens: number;
  readonly enumItemTokens: number;
  /** Once, at the end. */
  readonly endTokens: number;
}

/** Schemas are counted as JSON, which they travel as. */
export interface JsonRule extends ToolSchemaFacts {
  readonly kind: 'json';
  /** What the provider says to the model about its tools, once, if there are any. */
  readonly instructionTokens: number;
  /** The same where a tool has to be called. */
  readonly forcedInstructionTokens: number;
  /** Both are those of the model, as Anthropic publishes them, in place of these. */
  readonly isByModel?: boolean;
}

const COOKBOOK = 'github.com/openai/openai-cookbook, How_to_count_tokens_with_tiktoken';
const CHAT_TOKENS = 'github.com/hmarr/openai-chat-tokens, live-checked cases';

const NO_MARGIN: Margin = { fraction: 0, tokens: 0 };

const MESSAGES = {
  messageTokens: 3,
  nameTokens: 1,
  instructionTokens: 4,
  primingTokens: 3,
  functionRoleTokens: -2,
  functionCallTokens: 3,
  toolCallTokens: 3,
} as const;

const TOOL_CHOICE = { choiceNoneTokens: 1, choiceToolTokens: 7, choiceFunctionTokens: 4 } as const;

const DECLARATION: DeclarationRule = {
  kind: 'declaration',
  basis: 'formula',
  margin: NO_MARGIN,
  ...TOOL_CHOICE,
  wrapperTokens: 9,
  systemMessageTokens: -4,
  source: CHAT_TOKENS,
  date: '2024-06',
};

/** The choice constants are carried over from the declaration rule. */
const PER_FIELD: PerFieldRule = {
  kind: 'per_field',
  basis: 'formula',
  margin: NO_MARGIN,
  ...TOOL_CHOICE,
  functionTokens: 7,
  propertiesTokens: 3,
  propertyTokens: 3,
  enumTokens: -3,
  enumItemTokens: 3,
  endTokens: 12,
  source: COOKBOOK,
  date: '2024-07',
};

/** Models whose overhead nobody has published or measured: the newest known rule, with room. */
const ESTIMATE: OverheadRule = {
  id: 'estimate',
  families: [],
  basis: 'estimate',
  margin: { fraction: 0.02, tokens: 10 },
  ...MESSAGES,
  toolSchemas: { ...PER_FIELD, basis: 'estimate', margin: { fraction: 0.15, tokens: 20 } },
  source: COOKBOOK,
  date: '2026-11',
};

const JSON_SCHEMAS: JsonRule = {
  kind: 'json',
  basis: 'estimate',
  margin: { fraction: 0.15, tokens: 20 },
  choiceNoneTokens: 0,
  choiceToolTokens: 0,
  choiceFunctionTokens: 0,
  instructionTokens: 0,
  forcedInstructionTokens: 0,
  source: 'accounting.md §2',
  date: '2026-11',
};

export const OVERHEAD_RULES: readonly OverheadRule[] = [
  {
    id: 'declaration',
    families: ['gpt-3.5', 'gpt-4'],
    basis: 'formula',
    margin: NO_MARGIN,
    ...MESSAGES,
    toolSchemas: DECLARATION,
    source: CHAT_TOKENS,
    date: '2024-06',
  },
  {
    id: 'per-field',
    families: ['gpt-4o', 'gpt-4.1'],
    basis: 'formula',
    margin: NO_MARGIN,
    ...MESSAGES,
    toolSchemas: PER_FIELD,
    source: COOKBOOK,
    date: '2024-07',
  },
  {
    ...ESTIMATE,
    id: 'claude',
    families: ['claude'],
    toolSchemas: { ...JSON_SCHEMAS, isByModel: true },
    source: 'accounting.md §2: no constants published, about 3 to 5 a message',
  },
  {
    ...ESTIMATE,
    id: 'gemini',
    families: ['gemini'],
    toolSchemas: JSON_SCHEMAS,
    source: 'accounting.md §2: no constants published, about 3 to 5 a message',
  },
  ESTIMATE,
];

/**
 * The rule of a family of the model catalog; families that have none are estimated. `model` is for what differs inside
 * of a family, and for names that clouds give to models, which the catalog leaves out because their windows differ.
 */
export function overheadRuleFor(
  family: string | undefined,
  model = '',
  rules: readonly OverheadRule[] = OVERHEAD_RULES,
): OverheadRule {
  const known = family ?? OF_CLOUDS.find((word) => model.toLowerCase().includes(word));
  const found = rules.find(({ families }) => known !== undefined && families.includes(known));
  const rule = found ?? rules.find(({ id }) => id === ESTIMATE.id) ?? ESTIMATE;
  const { toolSchemas } = rule;
  if (toolSchemas.kind !== 'json' || !toolSchemas.isByModel) return rule;
  return { ...rule, toolSchemas: { ...toolSchemas, ...claudeToolInstructions(model) } };
}

/** Words in the names of models on clouds that are families of the catalog as well. */
const OF_CLOUDS = ['claude'];
