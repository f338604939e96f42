// Character classes as tiktoken's own regex engine sees them.
import { Tiktoken } from 'tiktoken';
import { layout } from '../../tables/layout.mjs';

const byteRanks = `! 0 ${Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString('base64')).join(' ')}`;

function membersOf(pattern, text) {
  const encoder = new Tiktoken(byteRanks, {}, pattern);
  const bytes = Uint8Array.from(encoder.encode_ordinary(text));
  encoder.free();
  return [...new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)].map((character) =>
    character.codePointAt(0),
  );
}

/** One class per code point. */
export function readClasses() {
  const all = [];
  for (let point = 0; point < 0x110000; point++)
    if (point < 0xd800 || point > 0xdfff) all.push(String.fromCodePoint(point));
  const text = all.join('');
  const classes = new Uint8Array(0x110000).fill(layout.CLASS_SYMBOL);
  const set = (pattern, value) => {
    for (const point of membersOf(pattern, text)) classes[point] = value;
  };
  set('[\\p{Lu}\\p{Lt}]', layout.CLASS_UPPER);
  set('\\p{Ll}', layout.CLASS_LOWER);
  set('[\\p{Lm}\\p{Lo}]', layout.CLASS_BOTH);
  set('\\p{M}', layout.CLASS_MARK);
  set('\\p{N}', layout.CLASS_DIGIT);
  set('\\s', layout.CLASS_BLANK);
  set('[\\r\\n]', layout.CLASS_NEWLINE);
  const letters = new Set(membersOf('\\p{L}', text));
  for (let point = 0; point < 0x110000; point++) {
    const isLetter = classes[point] >= layout.CLASS_UPPER && classes[point] <= layout.CLASS_BOTH;
    if (isLetter !== letters.has(point)) throw new Error(`letter classes disagree at ${point}`);
  }
  // The scanners know exactly one letter outside ASCII that a contraction may hold: the long s.
  for (const letter of 'stremvld') {
    const found = membersOf(`(?i:${letter})`, text).filter((point) => point > 0x7f);
    if (JSON.stringify(found) !== (letter === 's' ? '[383]' : '[]'))
      throw new Error(`case variants of ${letter}: ${found}`);
  }
  return classes;
}
