import { type Ledger, roleAt } from '../../ledger.js';

/** Who has the word; what comes back of calls is the user's. A stranger's role is one that nobody knows. */
export type Side = 'user' | 'assistant' | 'stranger';

/** Of a message; messages of the system are on no side. */
export function sideOf(ledger: Ledger, index: number): Side | undefined {
  const role = roleAt(ledger, index);
  if (role === 'system') return undefined;
  if (role === undefined) return 'stranger';
  return role === 'assistant' ? 'assistant' : 'user';
}
