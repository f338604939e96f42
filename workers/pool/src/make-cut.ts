import { type AskedCut, attachmentNote, type Cut, elisionNote } from '@preflight/core';
import { cutMessage, type TextToCut } from './cut-message.js';
import { cutToTail } from './cut-to-tail.js';
import type { TextMeter } from './text-meter.js';

/** Does what a step of a fit asks for, and counts the new content afresh. Only content of one text has a tail of its own. */
export function makeCut(
  meter: TextMeter,
  { index, keepTokens, side = 'head', elidedTokens, elidedAttachmentTokens }: AskedCut,
  texts: readonly TextToCut[],
): Cut {
  if (elidedTokens !== undefined) {
    const contentTokens = meter.count(elisionNote(elidedTokens));
    return { index, textIndex: 0, keepBytes: 0, elidedTokens, contentTokens };
  }
  if (elidedAttachmentTokens !== undefined) {
    const contentTokens = meter.count(attachmentNote(elidedAttachmentTokens));
    return { index, textIndex: 0, keepBytes: 0, elidedAttachmentTokens, contentTokens };
  }
  const [text] = texts;
  if (side === 'head' || text === undefined || texts.length > 1)
    return cutMessage(meter, index, texts, keepTokens);
  const headTokens = side === 'tail' ? 0 : Math.ceil(keepTokens / 2);
  return { index, textIndex: 0, ...cutToTail(meter, text, headTokens, keepTokens - headTokens) };
}
