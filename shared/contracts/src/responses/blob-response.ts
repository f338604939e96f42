import Type from 'typebox';

export const blobResponse = Type.Object({
  digest: Type.String({ description: 'As requests refer to it: `sha256:` and 64 hexadecimal digits.' }),
  bytes: Type.Integer(),
});
