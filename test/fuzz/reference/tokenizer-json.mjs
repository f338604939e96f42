/**
 * A vocabulary that tiktoken does not ship, as it takes it.
 * @typedef {object} NamedEncoding
 * @property {string} pattern
 * @property {Map<string, number>} ranks by the bytes of the token, one character a byte
 * @property {string} rankData the same in tiktoken's own form
 * @property {boolean} isNormalized texts are brought to NFC first
 */

/**
 * Reads a `tokenizer.json` of byte-level BPE whose ids are in the order of its merges, apart from how the product does.
 * @param {Uint8Array} file
 * @returns {NamedEncoding}
 */
export function readTokenizerJson(file) {
  const { model, added_tokens, normalizer, pre_tokenizer } = JSON.parse(Buffer.from(file).toString());
  const added = new Set(added_tokens.map(({ content }) => content));
  const byteOf = alphabet();
  const lines = [];
  const ranks = new Map();
  for (const [token, id] of Object.entries(model.vocab).sort(([, x], [, y]) => x - y)) {
    if (added.has(token)) continue;
    const bytes = Buffer.from([...token].map((character) => byteOf.get(character)));
    ranks.set(bytes.toString('latin1'), id);
    lines.push(`! ${id} ${bytes.toString('base64')}`);
  }
  const pattern = pre_tokenizer.pretokenizers[0].pattern.Regex;
  return { pattern, ranks, rankData: lines.join('\n'), isNormalized: normalizer?.type === 'NFC' };
}

/** GPT-2's characters for bytes. */
function alphabet() {
  const printed = [
    [0x21, 0x7e],
    [0xa1, 0xac],
    [0xae, 0xff],
  ];
  const byteOf = new Map();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const isPrinted = printed.some(([first, last]) => byte >= first && byte <= last);
    byteOf.set(String.fromCodePoint(isPrinted ? byte : next++), byte);
  }
  return byteOf;
}
