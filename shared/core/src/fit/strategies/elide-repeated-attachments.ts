import type { Copy } from '../../copies.js';
import type { Change } from '../change.js';
import { keptIn } from '../decision.js';
import { NOTE_CEILING_TOKENS, NOTE_PART_CEILING_BYTES } from '../elision-note.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { AskedCut, Cut } from '../step.js';
import type { Strategy } from './strategy.js';

const REFUSALS = {
  overBudget: {
    code: 'over_budget_without_repeated_attachments',
    title: 'No repeated attachment left to leave out',
    description: 'The history is still over its budget with one of all attachments that are the same.',
  },
  outputBelowMinimum: {
    code: 'output_below_min_without_repeated_attachments',
    title: 'Too little output without repeated attachments',
    description:
      'The output that can be requested is below the minimum, and leaving out repeated attachments does not change that.',
  },
} as const;

/**
 * Keeps one of attachments that are the same, and puts notes in the place of the others that say how much was there and
 * where the kept one stands. Nothing is lost that the model cannot still see, which no other strategy can say.
 *
 * - The newest stays. It is near the question that is asked about it; it outlives whatever drops old messages; and the newest user
 *   message, in which nothing is ever touched, often has one, so that keeping an older one would leave two. The price is paid once: a
 *   provider's prompt cache ends at the first note, where an older copy was known.
 * - So the copies next to the newest go first, as few as it takes: what stands in front of the first note stays cached,
 *   and so does thinking that is bound to it.
 * - What is pinned stays. Where it is a copy, the unpinned ones go, newer ones too.
 */
export const elideRepeatedAttachments = {
  name: 'elide_repeated_attachments',
  description:
    'keeps the newest of attachments that are the same and replaces the others by notes that say how much was there and where the kept one stands: nothing is lost, and a prompt cache ends at the first note',
  outcome: 'repeated_attachments_elided',
  outcomeInWords: 'Fits with repeated attachments once',
  refusals: REFUSALS,
  isLiteral: true,
  canCut: false,
  comparesAttachments: true,
  unshrinkableReason: 'no_repeated_attachment',
  compress: elideRepeated,
  cuttableMessages: () => [],
} as const satisfies Strategy;

const ELIDED: Change = { action: 'elided', reason: 'repeated_attachment' };

function* elideRepeated(
  history: History,
  { canNoteAttachments, fixedAttachments }: FitOptions,
): Generator<AskedCut, void, Cut> {
  if (!canNoteAttachments) return;
  const fixed = new Set(fixedAttachments);
  const kept = keptCopies(history);
  for (const copy of history.copies.toReversed()) {
    if (!history.isOverBudget) return;
    const other = kept.get(copy.content);
    if (other === undefined || other === copy || !history.isStanding(copy)) continue;
    if (staysWhole(copy, history) || fixed.has(copy.index) || !isWorthIt(copy, history)) continue;
    yield* putNote(history, copy, other);
  }
}

function* putNote(history: History, copy: Copy, kept: Copy | undefined): Generator<AskedCut, void, Cut> {
  const { index, tokens: elidedAttachmentTokens } = copy;
  const where = keptIn(index, kept);
  const asked = { type: 'cut', index, keepTokens: 0, elidedAttachmentTokens } as const;
  const { contentTokens } = yield { ...asked, ...(where && { keptIn: where }) };
  history.recordCopyNote(copy, { kept, tokens: contentTokens }, ELIDED);
}

/** Of each content, the copy that stays: the newest of those that nothing may be done to, or else of all. */
function keptCopies(history: History): Map<number, Copy> {
  const kept = new Map<number, Copy>();
  for (const copy of history.copies) {
    if (!history.isStanding(copy)) continue;
    const other = kept.get(copy.content);
    const isOutlived = other !== undefined && staysWhole(other, history) && !staysWhole(copy, history);
    if (!isOutlived) kept.set(copy.content, copy);
  }
  return kept;
}

/** Whether nothing may be done to the message of a copy: instructions, what is pinned, the newest user message and what follows. */
function staysWhole({ index }: Copy, history: History): boolean {
  const { ledger, lastUserIndex } = history;
  return index < ledger.protectedCount || index >= lastUserIndex || history.isPinned(index);
}

function isWorthIt({ tokens, bytes }: Copy, history: History): boolean {
  return tokens > NOTE_CEILING_TOKENS || (history.isOverBytes && bytes > NOTE_PART_CEILING_BYTES);
}

/** Notes that refer to a copy which is gone since, whatever left it out, refer to another, or to none. */
export function* settleCopyNotes(history: History): Generator<AskedCut, void, Cut> {
  const dangling = history
    .copyNotes()
    .filter(([, { kept }]) => kept !== undefined && !history.isStanding(kept));
  if (dangling.length === 0) return;
  const kept = keptCopies(history);
  for (const [copy] of dangling) yield* putNote(history, copy, kept.get(copy.content));
}
