import Type, { type Static } from 'typebox';

export const batchResponse = Type.Object({
  id: Type.String(),
  lines: Type.Integer({ description: 'Lines that were taken, blank ones left out.' }),
});

/** One line of the results of a batch. */
export const batchResult = Type.Object({
  cursor: Type.String({ description: 'To read on behind this result: `?after=…`.' }),
  line: Type.Integer({ description: 'Number of the line, from 1.' }),
  offset_bytes: Type.Integer({ description: 'Where the line begins.' }),
  id: Type.Union([Type.String(), Type.Null()], { description: 'As in the line; null if it has none.' }),
  status: Type.Integer({ description: 'What the call of its own would have been answered with.' }),
  body: Type.Unknown({ description: 'The answer of that call, or the problem.' }),
});

export type BatchResult = Static<typeof batchResult>;
