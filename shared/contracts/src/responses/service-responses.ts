import Type from 'typebox';

export const encodingsResponse = Type.Object({
  encodings: Type.Array(
    Type.Object({
      name: Type.String(),
      engine: Type.String({ description: 'What counts this encoding in this process.' }),
      vocabulary_version: Type.String(),
    }),
  ),
});

export const healthResponse = Type.Object({ status: Type.String() });
