import { Merge } from './merge.mjs';
import { readEncoding } from './ranks.mjs';

const encoder = new TextEncoder();

/** `(?i:…)` of the patterns, which this version of JavaScript does not have. U+017F is a case variant of s. */
const CONTRACTIONS = "(?:'(?:[sS\\u017FtTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))";

/**
 * The encoding written once more, simply: the pattern as a regular expression, and the merge by definition. For
 * pieces too long for tiktoken. Knows the Unicode of Node, so it is for characters that were assigned long ago.
 */
export class PlainReference {
  #pattern;
  #merge;

  /**
   * @param {string} encoding
   * @param {{ pattern: string, ranks: Map<string, number> }} [made]
   */
  constructor(encoding, made = readEncoding(encoding)) {
    const { pattern, ranks } = made;
    const inJavaScript = pattern
      .replaceAll(/\(\?i:[^)]*\)/g, CONTRACTIONS)
      .replaceAll('\\s', '\\p{White_Space}')
      .replaceAll('\\S', '\\P{White_Space}');
    this.#pattern = new RegExp(inJavaScript, 'gu');
    this.#merge = new Merge(ranks);
  }

  /**
   * The text as bytes, and where each of its tokens ends in them.
   * @param {string} text
   */
  encode(text) {
    const wellFormed = text.toWellFormed();
    const ends = [];
    let start = 0;
    for (const [piece] of wellFormed.matchAll(this.#pattern)) {
      const bytes = Buffer.from(piece).toString('latin1');
      for (const end of this.#merge.ends(bytes)) ends.push(start + end);
      start += bytes.length;
    }
    return { bytes: encoder.encode(wellFormed), ends: Uint32Array.from(ends) };
  }
}
