import { Random } from '../random.mjs';
import { ASIAN, fromFiles, messages, verses } from './files.mjs';
import { chatLine } from './generated.mjs';
import { vocabulary } from './words.mjs';

const EUROPEAN = ['ru', 'de', 'fr', 'es', 'pt-br', 'pl', 'tr', 'cs', 'it'];
/** Languages that compiler and editor do not speak. */
const OTHERS = ['bn', 'ur', 'id', 'sv'];

/**
 * Equal shares of bytes for each language, and one for chat with emoji: else the mix would be what happens to be
 * installed most of.
 */
export const multilingualCorpus = fromFiles('multilingual', 'multilingual mix', () =>
  equalShares([
    ...[...ASIAN, ...EUROPEAN].map(messages),
    ...OTHERS.map((code) => verses(`quran_${code}`)),
    verses('quran', 'text'),
    emojiChat(1_000_000),
  ]),
);

/** @param {readonly string[][]} languages units of each */
function equalShares(languages) {
  const bytesOf = (units) => units.reduce((sum, unit) => sum + Buffer.byteLength(unit), 0);
  const share = Math.min(...languages.map(bytesOf));
  return languages.flatMap((units) => {
    let left = share;
    return units.filter((unit) => {
      left -= Buffer.byteLength(unit);
      return left >= 0;
    });
  });
}

function emojiChat(bytes) {
  const random = new Random('multilingual chat');
  const units = [];
  for (let length = 0; length < bytes; length += Buffer.byteLength(units.at(-1)))
    units.push(Array.from({ length: 6 }, () => chatLine(random, vocabulary())).join(''));
  return units;
}
