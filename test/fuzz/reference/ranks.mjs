import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Same ranks and pattern as another encoding; tiktoken does not ship it by its own name. */
const ALIASES = { o200k_harmony: 'o200k_base' };

/** The name that tiktoken knows an encoding by. @param {string} encoding */
export const shippedName = (encoding) => ALIASES[encoding] ?? encoding;

/**
 * What tiktoken ships of an encoding: its pattern, and the ranks of its tokens by their bytes, one character a byte.
 * @param {string} encoding
 */
export function readEncoding(encoding) {
  const { pat_str, bpe_ranks } = require(`tiktoken/encoders/${shippedName(encoding)}.json`);
  /** @type {Map<string, number>} */
  const ranks = new Map();
  // Lines of `! first-rank token…`, tokens in base64.
  for (const line of bpe_ranks.split('\n')) {
    const [, first, ...tokens] = line.split(' ');
    tokens.forEach((token, offset) => {
      ranks.set(Buffer.from(token, 'base64').toString('latin1'), Number(first) + offset);
    });
  }
  return { pattern: /** @type {string} */ (pat_str), ranks };
}
