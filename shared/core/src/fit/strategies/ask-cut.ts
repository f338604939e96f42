import { roleAt } from '../../ledger.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { AskedCut } from '../step.js';

/** A cut of a message, on the side that is kept of its role. */
export function askCut(
  { ledger }: History,
  index: number,
  keepTokens: number,
  { cutSides }: Pick<FitOptions, 'cutSides'>,
): AskedCut {
  const role = roleAt(ledger, index);
  const side = role && cutSides?.[role];
  return { type: 'cut', index, keepTokens, ...(side && { side }) };
}
