import Type, { type Static } from 'typebox';
import { requestFields } from './conversation-fields.js';

export const checkRequest = Type.Object(
  {
    ...requestFields,
    repair: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Adds the request with the least changes that mend it, as far as leaving out, ordering and joining can. Gain: the provider takes it, if `legal` says so. Cost: what breaks a rule is left out, such as a call whose result was lost; the edits say what. Nothing is invented, so that what is too large, or of which nothing legal is left, stays refused.',
      }),
    ),
    return: Type.Optional(
      Type.Enum(['edits', 'conversation'], {
        default: 'edits',
        description:
          'With `repair`: `edits` answers with the changes only; `conversation` adds the repaired request.',
      }),
    ),
  },
  { additionalProperties: false },
);

export type CheckRequest = Static<typeof checkRequest>;
