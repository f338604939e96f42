/**
 * What stands in the place of a tool's result that was left out. It says what was there, so that the model may ask for it
 * again.
 */
export function elisionNote(tokens: number): string {
  return `[Tool result left out: ${tokens} tokens]`;
}

/** The same for attachments of a message; or for one of them, where the same one stands elsewhere. */
export function attachmentNote(tokens: number, keptIn?: KeptIn): string {
  if (keptIn === undefined) return `[Attachments left out: ${tokens} tokens]`;
  return `[Attachment left out: ${tokens} tokens; the same one is attached to ${WHERE[keptIn]}]`;
}

/** Where an attachment stands of which another was the same, as seen from there. */
export type KeptIn = 'earlier' | 'later' | 'here';

/** In words that stay true whatever goes between the two. */
const WHERE: Readonly<Record<KeptIn, string>> = {
  earlier: 'an earlier message',
  later: 'a later message',
  here: 'this message',
};

/** More tokens than any note has, in any encoding. */
export const NOTE_CEILING_TOKENS = 30;

/** More bytes than any note has that stands for all of something. */
export const NOTE_CEILING_BYTES = 64;

/** More bytes than a part with a note has in any format. */
export const NOTE_PART_CEILING_BYTES = 160;
