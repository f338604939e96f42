const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/**
 * The inside of a JSON string with ASCII-only escaping (langroid-overflow §7): everything outside 0x20–0x7E as
 * `\uXXXX` in lower case, which JSON.stringify does not do. The same as core's `writePiece` does with bytes, for
 * small strings. Lone surrogates are what they count as everywhere, U+FFFD.
 */
export function escapeJson(text: string): string {
  return text.replace(/[^ !#-[\]-~]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  if (character.length === 2)
    return escapeUnit(character.charCodeAt(0)) + escapeUnit(character.charCodeAt(1));
  const unit = character.charCodeAt(0);
  return escapeUnit(unit >= 0xd800 && unit <= 0xdfff ? 0xfffd : unit);
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
