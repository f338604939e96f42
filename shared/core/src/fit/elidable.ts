import { outputAfterCompression } from './budget.js';
import { NOTE_CEILING_TOKENS } from './elision-note.js';
import type { History } from './history.js';
import type { FitOptions } from './options.js';
import { elideAttachments } from './strategies/elide-attachments.js';

/** Attachments that could be left out. */
export interface Elidable {
  /** How many messages have them. */
  readonly messages: number;
  readonly tokens: number;
  /** 0 where bytes have no budget. */
  readonly bytes: number;
}

/**
 * Which attachments `elide_attachments` would leave out of a history that other strategies could not make fit, if it does
 * then; else null. Does so to the history.
 */
export function elidableIn(history: History, options: FitOptions): Elidable | null {
  if (!history.isOverBudget || options.strategies.includes(elideAttachments.name)) return null;
  let messages = 0;
  let tokens = 0;
  let bytes = 0;
  const pass = elideAttachments.compress(history, options);
  for (let asked = pass.next(); !asked.done; ) {
    const { index, elidedAttachmentTokens = 0 } = asked.value;
    messages += 1;
    tokens += elidedAttachmentTokens;
    bytes += history.byteAmounts?.attachments[index] ?? 0;
    // No note is larger.
    const note = { index, textIndex: 0, keepBytes: 0, elidedAttachmentTokens };
    asked = pass.next({ ...note, contentTokens: NOTE_CEILING_TOKENS });
  }
  const isEnough =
    !history.isOverBudget && outputAfterCompression(history.tokens, options) >= options.minOutputTokens;
  return isEnough ? { messages, tokens, bytes } : null;
}
