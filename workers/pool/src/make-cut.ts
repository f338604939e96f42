import { type AskedCut, attachmentNote, type Cut, elisionNote } from '@preflight/core';
import type { Counter } from '@preflight/tokenizer';
import { cutMessage, type TextToCut } from './cut-message.js';
import { cutToTail } from './cut-to-tail.js';

/** Does what a step of a fit asks for, and counts the new content afresh. Only content of one text has a tail of its own. */
export function makeCut(
  counter: Counter,
  { index, keepTokens, side = 'head', elidedTokens, elidedAttachmentTokens }: AskedCut,
  texts: readonly TextToCut[],
): Cut {
  if (elidedTokens !== undefined) {
    const contentTokens = counter.count(elisionNote(elidedTokens));
    return { index, textIndex: 0, keepBytes: 0, elidedTokens, contentTokens };
  }
  if (elidedAttachmentTokens !== undefined) {
    const contentTokens = counter.count(attachmentNote(elidedAttachmentTokens));
    return { index, textIndex: 0, keepBytes: 0, elidedAttachmentTokens, contentTokens };
  }
  const [text] = texts;
  if (side === 'head' || text === undefined || texts.length > 1)
    return cutMessage(counter, index, texts, keepTokens);
  const headTokens = side === 'tail' ? 0 : Math.ceil(keepTokens / 2);
  return { index, textIndex: 0, ...cutToTail(counter, text, headTokens, keepTokens - headTokens) };
}
