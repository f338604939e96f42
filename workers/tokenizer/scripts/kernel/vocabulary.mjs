// The vocabulary that the tiktoken package ships, and how each of its tokens is merged.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Tokens by rank, as latin1 strings (one char per byte); ranks without a token are undefined. */
export function readVocabulary(encoding) {
  const { bpe_ranks: ranks } = require(`tiktoken/encoders/${encoding}.json`);
  const tokens = [];
  for (const line of ranks.split('\n')) {
    const [, first, ...encoded] = line.split(' ');
    encoded.forEach((text, index) => {
      tokens[Number(first) + index] = Buffer.from(text, 'base64').toString('latin1');
    });
  }
  return tokens;
}

/** Merges `text` by ascending rank as tiktoken does, with tokens below `limit` only; returns the parts. */
export function mergeBelow(text, rankOf, limit) {
  const parts = [...text];
  for (;;) {
    let best = limit,
      at = -1;
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = rankOf.get(parts[i] + parts[i + 1]);
      if (rank !== undefined && rank < best) {
        best = rank;
        at = i;
      }
    }
    if (at < 0) return parts;
    parts.splice(at, 2, parts[at] + parts[at + 1]);
  }
}

/** For every token of two or more bytes the two tokens that merge into it. */
export function splitTokens(tokens) {
  const rankOf = new Map();
  tokens.forEach((token, rank) => {
    rankOf.set(token, rank);
  });
  const halves = [];
  tokens.forEach((token, rank) => {
    if (token.length < 2) return;
    const parts = mergeBelow(token, rankOf, rank);
    if (parts.length !== 2) throw new Error(`token ${rank} is not reachable by merging two`);
    halves[rank] = [rankOf.get(parts[0]), rankOf.get(parts[1])];
  });
  return { tokens, rankOf, halves };
}
