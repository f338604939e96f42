/** Code points of a text; also the number of code points of a block. */
const GROUP = 64;
const END = 0x110000;
/** Nearly nothing is assigned behind the ideographs: a few contexts do there, but for the tags and selectors. */
const SPARSE_FROM = 0x32400;
const isSparse = (/** @type {number} */ first) =>
  first >= SPARSE_FROM && (first < 0xe0000 || first >= 0xe0200);

/** One code point in many contexts: alone between others, doubled, beside letters, digits, blanks, contractions… */
const CONTEXTS = (/** @type {string} */ c) =>
  `${c}${c} a${c}b A${c}B${c} 1${c}1 ${c}'s x'${c}s\n${c}\n.${c}/\n${c}(${c}) Ab${c}+/9q${c}w${c}'LL `;

const FEW_CONTEXTS = (/** @type {string} */ c) => `a${c}B${c}${c}1${c}'s\n`;

/**
 * Every Unicode code point, the halves of surrogate pairs too: groups of them in their contexts, then each as a text
 * of its own. Undefined behind the last.
 * @param {number} index
 * @returns {string | undefined}
 */
export function codePointText(index) {
  const first = index * GROUP;
  if (first < END) {
    const contexts = isSparse(first) ? FEW_CONTEXTS : CONTEXTS;
    let text = '';
    for (let offset = 0; offset < GROUP; offset++) text += contexts(String.fromCodePoint(first + offset));
    return text;
  }
  const single = index - END / GROUP;
  return single < END ? String.fromCodePoint(single) : undefined;
}
