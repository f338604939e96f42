import Type from 'typebox';

export const cache = Type.Object(
  { hits: Type.Integer(), misses: Type.Integer() },
  { description: 'Texts whose count was known, and texts that had to be counted.' },
);
