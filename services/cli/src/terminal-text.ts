/**
 * Text from elsewhere, fit for a terminal: control characters, which could move the cursor or change what was printed,
 * and marks that turn the direction of writing become U+FFFD.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD');
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** How many columns a text takes on a terminal, or nearly so: terminals differ about emoji. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

/** The first characters, as many as fit into so many columns. */
export function firstColumns(text: string, columns: number): string {
  let fitting = '';
  let taken = 0;
  for (const character of text) {
    taken += columnsOfCharacter(character);
    if (taken > columns) break;
    fitting += character;
  }
  return fitting;
}

const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60]/u;

function columnsOfCharacter(character: string): number {
  if (character < '\u0300') return 1;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
