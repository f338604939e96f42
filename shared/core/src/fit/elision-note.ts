/**
 * What stands in the place of a tool's result that was left out. It says what was there, so that the model may ask for it
 * again.
 */
export function elisionNote(tokens: number): string {
  return `[Tool result left out: ${tokens} tokens]`;
}

/** The same for the attachments of a message. */
export function attachmentNote(tokens: number): string {
  return `[Attachments left out: ${tokens} tokens]`;
}

/** More tokens than any note has, in any encoding. */
export const NOTE_CEILING_TOKENS = 30;

/** More bytes than any note has. */
export const NOTE_CEILING_BYTES = 64;
