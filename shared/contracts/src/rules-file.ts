import Type, { type Static, type TSchema } from 'typebox';

const patterns = Type.Array(
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[a-z0-9.*:-]+$', examples: ['gpt-4o*'] }),
  {
    maxItems: 1000,
  },
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

/** What an operator says of rules of media (`PREFLIGHT_RULES_FILE`). */
export const rulesFile = Type.Object(
  {
    rules: Type.Array(
      Type.Object(
        {
          id: Type.String({ pattern: '^[a-z0-9.-]{1,64}$', examples: ['anthropic-high'] }),
          like: Type.Optional(Type.String({ maxLength: 64 })),
          ...Object.fromEntries(
            Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
          ),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1000 },
    ),
  },
  { additionalProperties: false },
);

export type RulesFile = Static<typeof rulesFile>;
