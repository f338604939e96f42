import { type AskedCut, attachmentNote, type Cut, elisionNote } from '@preflight/core';
import { bytesLeft, headAndTailWithin, textsWithin } from './cut-bytes.js';
import { cutMessage, type TextToCut } from './cut-message.js';
import { cutToTail } from './cut-to-tail.js';
import type { TextMeter } from './text-meter.js';

/**
 * Does what a step of a fit asks for, and counts the new content afresh, its bytes as well where they have a budget. Only
 * content of one text has a tail of its own.
 */
export function makeCut(
  meter: TextMeter,
  asked: AskedCut,
  texts: readonly TextToCut[],
  { countsBytes = false }: { readonly countsBytes?: boolean } = {},
): Cut {
  const { index, elidedTokens, elidedAttachmentTokens, keptIn } = asked;
  if (elidedTokens !== undefined) {
    const note = elisionNote(elidedTokens);
    const contentTokens = meter.count(note);
    const bytes = countsBytes && { contentBytes: note.length };
    return { index, textIndex: 0, keepBytes: 0, elidedTokens, contentTokens, ...bytes };
  }
  if (elidedAttachmentTokens !== undefined) {
    const contentTokens = meter.count(attachmentNote(elidedAttachmentTokens, keptIn));
    return { index, textIndex: 0, keepBytes: 0, elidedAttachmentTokens, contentTokens };
  }
  const cut = cutTexts(meter, asked, texts);
  return countsBytes ? { ...cut, contentBytes: bytesLeft(texts, cut) } : cut;
}

function cutTexts(
  meter: TextMeter,
  { index, keepTokens, side = 'head', maxContentBytes }: AskedCut,
  texts: readonly TextToCut[],
): Cut {
  const [text] = texts;
  if (side === 'head' || text === undefined || texts.length > 1) {
    const within = maxContentBytes === undefined ? texts : textsWithin(texts, maxContentBytes);
    return cutMessage(meter, index, within, keepTokens);
  }
  const headTokens = side === 'tail' ? 0 : Math.ceil(keepTokens / 2);
  const limits =
    maxContentBytes === undefined ? undefined : headAndTailWithin(text, maxContentBytes, side === 'tail');
  return { index, textIndex: 0, ...cutToTail(meter, text, headTokens, keepTokens - headTokens, limits) };
}
