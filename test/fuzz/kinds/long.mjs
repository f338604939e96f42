import { planChunks } from '@preflight/tokenizer';
import { mustEqual } from '../mismatch.mjs';
import { longPieceText } from '../texts/long-pieces.mjs';
import { checkLimit, checkSum, cutEnd } from './checks.mjs';

/** tiktoken is quick enough up to here; then the plain reference is checked too. */
const SHORT_CHARACTERS = 600;

/** Pieces too long for tiktoken, against the plain reference. @type {import('../fuzz.mjs').Kind} */
export const long = {
  name: 'long',
  text: longPieceText,
  check({ counter, tiktoken, plain, family }, text, random) {
    const { bytes, ends } = plain.encode(text);
    const tokens = ends.length;
    if (text.length <= SHORT_CHARACTERS)
      mustEqual("the plain reference's own count", tokens, tiktoken.count(text));
    mustEqual('the count', counter.count(bytes), tokens);
    let compared = 1;
    for (; compared < 9; compared++) {
      const maxTokens = random.below(tokens + 1);
      const kept = counter.cutBytes(bytes, maxTokens);
      mustEqual(`bytes of the cut to ${maxTokens}`, kept, cutEnd(bytes, ends, maxTokens));
    }
    checkLimit(counter, text, tokens, random.below(tokens + 2));
    const chunks = planChunks(bytes, family, random.between(1, 2000));
    const chunkEnds = chunks.map(({ end }) => end);
    checkSum('chunks', counter, bytes, chunkEnds, tokens);
    return compared + 2;
  },
};
