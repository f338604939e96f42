import { hasRole } from '../../ledger.js';
import type { Change } from '../change.js';
import { NOTE_CEILING_TOKENS } from '../elision-note.js';
import type { History } from '../history.js';
import type { AskedCut, Cut } from '../step.js';
import type { Strategy } from './strategy.js';

const REFUSALS = {
  overBudget: {
    code: 'over_budget_after_eliding',
    title: 'No tool result left to leave out',
    description: 'The history is still over its budget without the tool results that may be left out.',
  },
  outputBelowMinimum: {
    code: 'output_below_min_after_eliding',
    title: 'Too little output after eliding',
    description:
      'The output that can be requested is below the minimum, and leaving out tool results does not change that.',
  },
} as const;

/**
 * Replaces the content of tool results by a note that says how much was there, oldest first. Calls keep their results,
 * so that a loop of tools can be made to fit in its midst; those of the newest unit stay, since no one has read them yet.
 */
export const elideToolResults = {
  name: 'elide_tool_results',
  description:
    'replaces tool results by a note that says how much was there, oldest first, and keeps all that was said',
  outcome: 'tool_results_elided',
  outcomeInWords: 'Fits without old tool results',
  refusals: REFUSALS,
  isLiteral: false,
  canCut: false,
  unshrinkableReason: 'not_a_tool_result',
  compress: elideOldest,
  cuttableMessages: () => [],
} as const satisfies Strategy;

const ELIDED: Change = { action: 'elided', reason: 'oldest_tool_result' };

function* elideOldest(history: History): Generator<AskedCut, void, Cut> {
  const { ledger, contentTokens } = history;
  const lastUnit = ledger.units.at(-1) ?? 0;
  for (let index = ledger.protectedCount; index < lastUnit && history.isOverBudget; index++) {
    const elidedTokens = contentTokens[index] ?? 0;
    const isResult = hasRole(ledger, index, ['tool', 'function']);
    if (!isResult || elidedTokens <= NOTE_CEILING_TOKENS) continue;
    if (history.isDropped(index) || history.isPinned(index)) continue;
    const given = ledger.contentTokens[index] ?? 0;
    history.recordCut(yield { type: 'cut', index, keepTokens: 0, elidedTokens: given }, ELIDED);
  }
}
