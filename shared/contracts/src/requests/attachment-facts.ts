import { MEDIA_KINDS } from '@preflight/accounting';
import Type, { type Static } from 'typebox';

const MOST = 1_000_000_000;

/** What a caller states of an attachment that cannot be seen, or not as well as the caller sees it. */
export const attachmentFacts = Type.Object(
  {
    pointer: Type.Optional(
      Type.String({
        maxLength: 1024,
        description:
          'JSON pointer of the part that these are facts of, such as `/messages/0/content/1`. Without it, an attachment beside the conversation.',
      }),
    ),
    kind: Type.Optional(
      Type.Enum([...MEDIA_KINDS], { description: 'Default: what the other fields are facts of.' }),
    ),
    width: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, description: 'Of an image, in pixels.' })),
    height: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST })),
    pages: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, description: 'Of a PDF file.' })),
    text_tokens: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST,
        description: "Text of all pages, in the model's own tokens. Default: what pages usually have.",
      }),
    ),
    scanned: Type.Optional(Type.Boolean({ description: 'Pages are images and have no text.' })),
    citations: Type.Optional(Type.Boolean({ description: 'Citations are asked for, where that costs.' })),
    seconds: Type.Optional(Type.Number({ minimum: 0, maximum: MOST, description: 'Of audio or video.' })),
    audio: Type.Optional(Type.Boolean({ description: 'Whether a video has sound.' })),
    fps: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'Frames a second that are looked at.' }),
    ),
    role: Type.Optional(Type.String({ maxLength: 64, description: 'Who speaks in audio.' })),
    detail: Type.Optional(Type.String({ maxLength: 64, description: 'As OpenAI takes it.' })),
    media_resolution: Type.Optional(Type.String({ maxLength: 64, description: 'As Gemini takes it.' })),
    input_fidelity: Type.Optional(Type.String({ maxLength: 64, description: 'Of images to be edited.' })),
  },
  { additionalProperties: false },
);

export const attachmentFactsList = Type.Array(attachmentFacts, { maxItems: 10_000 });

export type AttachmentFacts = Static<typeof attachmentFacts>;
