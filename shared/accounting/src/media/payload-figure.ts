import type { Figure } from '../figure.js';

/** Of compressed or random bytes as base64, for o200k_base; other vocabularies have 0.70 to 0.74 (accounting.md §1). */
const TOKENS_PER_CHARACTER = 0.68;
/** Runs of one character: 16,000 of base64 zeros are 2,000 tokens, of 0xFF 250. */
const LEAST_TOKENS_PER_CHARACTER = 1 / 64;

/**
 * The text that an attachment travels as, where it is not worth counting because it does not decide. No character takes more
 * than one token.
 */
export function roughPayload(bytes: number): Figure {
  return {
    tokens: Math.ceil(bytes * TOKENS_PER_CHARACTER),
    low: Math.floor(bytes * LEAST_TOKENS_PER_CHARACTER),
    high: bytes,
    basis: 'estimate',
    rule: 'base64-rate',
    date: '2026-11',
  };
}
