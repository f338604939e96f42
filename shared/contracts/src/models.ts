import { CAPABILITIES, REASONING_HABITS, WINDOW_TYPES } from '@preflight/core';
import Type, { type Static, type TSchema } from 'typebox';

const tokens = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000_000, description });
const dollars = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const capability = Type.Enum([...CAPABILITIES], {
  description: 'What it reads beside text, and whether it can reason.',
});

const windowType = Type.Enum([...WINDOW_TYPES], {
  description:
    'How input and output share the window. `shared_sum`: their sum must be within it. `shared_soft`: the input must be, and the output ends where the window does. `input_capped`: the input has a limit of its own, and less output makes no room. `separate`: each has a limit of its own.',
});

const reasoning = Type.Enum([...REASONING_HABITS], {
  description: 'Whether output is spent on reasoning that nobody asked for.',
});

const tokenPrices = {
  input: dollars('US dollars for a million tokens.'),
  cached_input: orNull(dollars('Of input that the provider remembers; null where that is not known.')),
  output: dollars('US dollars for a million tokens.'),
};

const prices = Type.Object(
  {
    ...tokenPrices,
    long_input: Type.Optional(
      Type.Object(
        { above_tokens: Type.Integer({ minimum: 0 }), ...tokenPrices },
        { description: 'For the whole request once its input is longer than that.' },
      ),
    ),
    source: Type.String(),
    date: Type.String({ description: 'Of the source.' }),
  },
  { description: 'What its maker asks for; of text, where media have prices of their own.' },
);

export const modelResponse = Type.Object({
  id: Type.String({ description: 'By which its maker names it.' }),
  provider: Type.String({ description: 'Who makes it.' }),
  family: Type.String({ description: 'Models of one family share rules of accounting.' }),
  window_type: windowType,
  context_window: Type.Integer({
    description: 'Tokens read and written together; of a `separate` window, tokens read.',
  }),
  max_input_tokens: orNull(Type.Integer({ description: 'Where it is published as a limit of its own.' })),
  max_output_tokens: orNull(Type.Integer({ description: 'Most that it writes.' })),
  encoding: Type.String({ description: 'What it is counted with.' }),
  exact_encoding: Type.Boolean({ description: 'The encoding is its own; else it stands in for it.' }),
  capabilities: Type.Array(capability, { description: 'Empty where it reads text alone and cannot reason.' }),
  reasoning,
  rules: Type.Object(
    {
      overhead: Type.String({ description: 'What is sent around texts.' }),
      image: Type.Optional(Type.String()),
      pdf: Type.Optional(Type.String()),
      audio: Type.Optional(Type.String()),
      video: Type.Optional(Type.String()),
    },
    { description: 'Names of the rules by which it is counted beside its texts.' },
  ),
  prices: orNull(prices),
  source: Type.String({ description: 'Of window and limits.' }),
  retrieved_at: Type.String({ description: 'The month in which the source was looked up.' }),
});

export const modelsResponse = Type.Object({ models: Type.Array(modelResponse) });

export const modelByNameResponse = Type.Object({
  ...modelResponse.properties,
  matched_by: Type.Enum(['exact', 'snapshot', 'fine_tune', 'vendor_prefix'], {
    description: 'How the name led to it.',
  }),
});

/** Which models are listed; each option leaves others out. */
export const modelsQuery = Type.Object(
  {
    provider: Type.Optional(Type.String({ maxLength: 64, description: 'Who makes them.' })),
    family: Type.Optional(Type.String({ maxLength: 64 })),
    window_type: Type.Optional(windowType),
    min_context_window: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Models with a window of so many tokens or more.' }),
    ),
    exact_encoding: Type.Optional(
      Type.Boolean({ description: 'Only models whose own encoding is known, or only others.' }),
    ),
    capability: Type.Optional(capability),
    q: Type.Optional(Type.String({ maxLength: 64, description: 'A part of the id.' })),
  },
  { additionalProperties: false },
);

/** The file of `PREFLIGHT_MODELS_FILE`. */
export const modelsFile = Type.Object(
  {
    models: Type.Array(
      Type.Object(
        {
          id: Type.String({
            pattern: '^[a-z0-9][a-z0-9._:/@-]{0,127}$',
            examples: ['gpt-4o'],
            description: 'Of a known model, some facts of which are other; or of a new one. In lower case.',
          }),
          like: Type.Optional(
            Type.String({ description: 'A known model that has the facts that are left out.' }),
          ),
          provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
          family: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
          window_type: Type.Optional(windowType),
          context_window: Type.Optional(tokens('Required of a new model that is like no other.')),
          max_input_tokens: Type.Optional(orNull(tokens(''))),
          max_output_tokens: Type.Optional(orNull(tokens(''))),
          encoding: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
          exact_encoding: Type.Optional(
            Type.Boolean({ default: true, description: 'False if the encoding only stands in.' }),
          ),
          capabilities: Type.Optional(Type.Array(capability, { uniqueItems: true })),
          reasoning: Type.Optional(reasoning),
          prices: Type.Optional(
            orNull(
              Type.Object(
                {
                  input: tokenPrices.input,
                  cached_input: Type.Optional(tokenPrices.cached_input),
                  output: tokenPrices.output,
                },
                { additionalProperties: false },
              ),
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { maxItems: 10_000 },
    ),
  },
  { additionalProperties: false },
);

export type ModelResponse = Static<typeof modelResponse>;
export type ModelsQuery = Static<typeof modelsQuery>;
export type ModelsFile = Static<typeof modelsFile>;
