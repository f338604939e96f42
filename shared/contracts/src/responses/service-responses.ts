import Type from 'typebox';

export const encodingsResponse = Type.Object({
  encodings: Type.Array(
    Type.Object({
      name: Type.String(),
      engine: Type.String({ description: 'What counts this encoding in this process.' }),
      vocabulary_version: Type.String({
        description: 'Counts that are remembered are of this version alone.',
      }),
      source: Type.String({
        description: 'Where the vocabulary is from: a package, or a file of the operator by its digest.',
      }),
      licence: Type.Optional(
        Type.String({ description: 'Of the vocabulary; absent where only the operator knows.' }),
      ),
    }),
  ),
});

export const healthResponse = Type.Object({ status: Type.String() });
