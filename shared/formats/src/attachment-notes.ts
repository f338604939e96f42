import { type AttachmentNote, attachmentNote, type Fitted, keptIn } from '@preflight/core';

/**
 * What is to stand in the place of an attachment, by its position among those of a message: a note; nothing (null), since
 * the note about several stands where the first of them was; undefined where it stays.
 */
export type NoteAt = (position: number) => string | null | undefined;

/** The notes of a decision, by message. */
export function notesByMessage({ attachmentNotes }: Pick<Fitted, 'attachmentNotes'>): Map<number, NoteAt> {
  const notes = new Map<number, AttachmentNote[]>();
  for (const note of attachmentNotes) {
    const ofMessage = notes.get(note.index);
    if (ofMessage === undefined) notes.set(note.index, [note]);
    else ofMessage.push(note);
  }
  return new Map([...notes].map(([index, ofMessage]) => [index, noteAt(ofMessage)]));
}

function noteAt(notes: readonly AttachmentNote[]): NoteAt {
  const single = new Map<number, string>();
  let all: string | undefined;
  for (const { index, elidedTokens, position, kept } of notes) {
    const text = attachmentNote(elidedTokens, keptIn(index, kept));
    if (position === undefined) all = text;
    else single.set(position, text);
  }
  let first = 0;
  while (single.has(first)) first += 1;
  return (position) => single.get(position) ?? (all === undefined || position === first ? all : null);
}
