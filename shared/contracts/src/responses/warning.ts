import Type, { type Static } from 'typebox';

export const warning = Type.Object({
  code: Type.String({ description: 'Stable name, such as `attachment_estimate` or `unknown_model`.' }),
  detail: Type.String({ description: 'One sentence with figures; never content.' }),
});

export const warnings = Type.Array(warning, {
  description: 'What to know about the answer, though nothing is wrong.',
});

export type Warning = Static<typeof warning>;
