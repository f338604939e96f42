/**
 * Whether a model refuses the turn under way if the first call of one of its steps has lost its thought signature, as
 * Gemini does from 3 on (formats.md §3, November 2026).
 */
export function asksForSignatures(model: string | undefined): boolean {
  return /gemini-([3-9]|\d\d)/.test(model?.toLowerCase() ?? '');
}
