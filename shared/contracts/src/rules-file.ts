import { TEXT_KINDS } from '@preflight/core';
import Type, { type Static, type TSchema } from 'typebox';

/** Names of models; three stars at most, so that a name that a caller makes up is matched in no time. */
const patterns = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[a-z0-9.:-]*(?:\\*[a-z0-9.:-]*){0,3}$',
    examples: ['gpt-4o*'],
  }),
  { maxItems: 1000 },
);
const count = Type.Number({ minimum: 0, maximum: 1_000_000_000 });
const positive = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 });
const levels = Type.Record(Type.String(), count);
const word = Type.String({ minLength: 1, maxLength: 64 });

const fields: Readonly<Record<string, TSchema>> = {
  models: patterns,
  assumed_for: patterns,
  basis: Type.Enum(['formula', 'estimate']),
  margin: Type.Object({ fraction: count, tokens: count }, { additionalProperties: false }),
  source: Type.String({ minLength: 1, maxLength: 1000 }),
  date: Type.String({ pattern: '^20\\d\\d-\\d\\d$', examples: ['2027-01'] }),
  refused_above_px: positive,
  many_images: Type.Object({ images: count, refused_above_px: positive }, { additionalProperties: false }),
  patch_px: positive,
  multiplier: positive,
  refused_above_patches: positive,
  levels: Type.Record(
    Type.String(),
    Type.Union([
      count,
      Type.Object(
        { max_side_px: Type.Optional(positive), max_patches: Type.Optional(positive) },
        { additionalProperties: false },
      ),
    ]),
  ),
  auto: word,
  unspecified: word,
  base_tokens: count,
  tile_tokens: count,
  tile_px: positive,
  fit_px: positive,
  short_side_px: positive,
  fidelity_tokens: Type.Object({ square: count, other: count }, { additionalProperties: false }),
  max_side_px: positive,
  max_tokens: positive,
  crop_tokens: positive,
  whole_up_to_px: positive,
  min_crop_px: positive,
  max_crop_px: positive,
  fixed_levels: levels,
  added_levels: levels,
  assumed_max_side_px: positive,
  page_tokens: levels,
  page_text: Type.Object({ tokens: count, high: count }, { additionalProperties: false }),
  cited_page_tokens: count,
  page_limit: positive,
  tokens_per_second: count,
  assistant_tokens_per_second: count,
  assumed_max_seconds: positive,
  frame_tokens: levels,
  frames_per_second: positive,
  audio_tokens_per_second: count,
};

const dated = { source: fields.source as TSchema, date: fields.date as TSchema };
const basisAndMargin = { basis: fields.basis as TSchema, margin: fields.margin as TSchema };
const tokens = Type.Integer({ minimum: 0, maximum: 1_000_000 });
/** What corrects another figure may be below 0, by as little as vendors' rules have it. */
const correction = Type.Integer({ minimum: -16, maximum: 1_000_000 });

function allOf(names: readonly string[], schema: TSchema): Record<string, TSchema> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

const toolSchemas = Type.Partial(
  Type.Object({
    ...{ ...basisAndMargin, ...dated },
    ...allOf(['choice_none_tokens', 'choice_tool_tokens', 'choice_function_tokens'], tokens),
    ...allOf(['wrapper_tokens', 'function_tokens', 'properties_tokens', 'property_tokens'], tokens),
    ...allOf(['enum_item_tokens', 'end_tokens'], tokens),
    ...allOf(['system_message_tokens', 'enum_tokens'], correction),
    ...allOf(['instruction_tokens', 'forced_instruction_tokens'], tokens),
  }),
  { additionalProperties: false },
);

const overheadFields: Readonly<Record<string, TSchema>> = {
  families: Type.Array(word, { maxItems: 1000 }),
  ...{ ...basisAndMargin, ...dated },
  ...allOf(['message_tokens', 'instruction_tokens', 'priming_tokens'], tokens),
  ...allOf(['function_call_tokens', 'tool_call_tokens'], tokens),
  ...allOf(['name_tokens', 'function_role_tokens'], correction),
  tool_schemas: toolSchemas,
};

const ratio = Type.Number({ minimum: 0, maximum: 100 });

const textRatioFields: Readonly<Record<string, TSchema>> = {
  models: patterns,
  ratios: Type.Partial(
    Type.Object(
      Object.fromEntries(
        TEXT_KINDS.map((kind) => [
          kind,
          Type.Object({ tokens: positive, low: ratio, high: ratio }, { additionalProperties: false }),
        ]),
      ),
    ),
    { additionalProperties: false },
  ),
  ...dated,
};

/** Changes of rules with these fields, each of a known one or of a new one that is `like` a known one. */
function changesOf(fields: Readonly<Record<string, TSchema>>) {
  return Type.Array(
    Type.Object(
      {
        id: Type.String({ pattern: '^[a-z0-9.-]{1,64}$', examples: ['anthropic-high'] }),
        like: Type.Optional(Type.String({ maxLength: 64 })),
        ...Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])),
      },
      { additionalProperties: false },
    ),
    { maxItems: 1000 },
  );
}

/** What an operator says of rules (`PREFLIGHT_RULES_FILE`): those of media, of what stands around messages, of estimated texts. */
export const rulesFile = Type.Object(
  {
    rules: Type.Optional(changesOf(fields)),
    overhead_rules: Type.Optional(changesOf(overheadFields)),
    text_ratios: Type.Optional(changesOf(textRatioFields)),
  },
  { additionalProperties: false },
);

export type RulesFile = Static<typeof rulesFile>;
