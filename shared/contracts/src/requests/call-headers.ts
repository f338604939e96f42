import Type from 'typebox';

/** How both calls that count may be asked to answer. */
export const callHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description:
        '`respond-async`: the call becomes a job, answered with 202 and its `Location`. With `wait=10` beside it, the caller is answered as usual if that takes no longer than so many seconds.',
    }),
  ),
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Any name of visible ASCII characters. The same request with the same key is the same job, also while it runs, and is answered the same; another request with it is refused with 409. Requests are the same if their bodies are, byte for byte: one more space makes another. Remembered as long as the result.',
    }),
  ),
});
