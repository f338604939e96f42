import Type, { type Static } from 'typebox';

export const warning = Type.Object({
  code: Type.String({ description: 'Stable name, such as `attachment_estimate` or `unknown_model`.' }),
  detail: Type.String(),
});

export type Warning = Static<typeof warning>;
