import type { Change } from '../change.js';
import { NOTE_CEILING_TOKENS } from '../elision-note.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { AskedCut, Cut } from '../step.js';
import type { Strategy } from './strategy.js';

const REFUSALS = {
  overBudget: {
    code: 'over_budget_without_attachments',
    title: 'No attachment left to leave out',
    description: 'The history is still over its budget without the attachments that may be left out.',
  },
  outputBelowMinimum: {
    code: 'output_below_min_without_attachments',
    title: 'Too little output without attachments',
    description:
      'The output that can be requested is below the minimum, and leaving out attachments does not change that.',
  },
} as const;

/** Replaces the attachments of messages by a note that says how much was there, oldest first; the newest user message keeps its own. */
export const elideAttachments = {
  name: 'elide_attachments',
  description:
    'replaces attachments by a note that says how much was there, oldest first, and keeps every text; those of the newest user message stay',
  outcome: 'attachments_elided',
  outcomeInWords: 'Fits without old attachments',
  refusals: REFUSALS,
  isLiteral: true,
  canCut: false,
  unshrinkableReason: 'no_attachment',
  compress: elideOldest,
  cuttableMessages: () => [],
} as const satisfies Strategy;

const ELIDED: Change = { action: 'elided', reason: 'oldest_attachment' };

function* elideOldest(
  history: History,
  { canNoteAttachments, fixedAttachments }: FitOptions,
): Generator<AskedCut, void, Cut> {
  if (!canNoteAttachments) return;
  const fixed = new Set(fixedAttachments);
  const { ledger, lastUserIndex, attachmentTokens } = history;
  for (let index = ledger.protectedCount; index < lastUserIndex && history.isOverBudget; index++) {
    const elidedAttachmentTokens = attachmentTokens[index] ?? 0;
    const isWorthIt = elidedAttachmentTokens > NOTE_CEILING_TOKENS || history.noteSavesBytes(index);
    if (elidedAttachmentTokens === 0 || !isWorthIt) continue;
    if (fixed.has(index) || history.isDropped(index) || history.isPinned(index)) continue;
    history.recordAttachmentNote(yield { type: 'cut', index, keepTokens: 0, elidedAttachmentTokens }, ELIDED);
  }
}
