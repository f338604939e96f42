import { hasControlByte } from './control-bytes.js';
import { BACKSLASH, QUOTE } from './json-bytes.js';
import { bytesBeforeMark, markBackslashes, markControls, markQuotes, wordsOf } from './words.js';
import { isSurrogate, surrogateAt } from './wtf8.js';

/** How many bytes JSON.stringify writes for a byte of text: 1, 2 (`\n`) or 6 (`\u001f`). */
const WRITTEN_BYTES = new Uint8Array(256).fill(1);
/** The letter of a short escape, or 0. */
const SHORT_ESCAPES = new Uint8Array(256);
WRITTEN_BYTES.fill(6, 0, 0x20);
for (const [value, letter] of ['""', '\\\\', '\bb', '\ff', '\nn', '\rr', '\tt']) {
  const byte = (value as string).charCodeAt(0);
  WRITTEN_BYTES[byte] = 2;
  SHORT_ESCAPES[byte] = (letter as string).charCodeAt(0);
}

/** Marks the bytes that JSON.stringify does not write as they are. */
const markSpecial = (word: number) => markControls(word) | markBackslashes(word) | markQuotes(word);

/** Whether the bytes may stand between two quotes of JSON as they are. */
export function needsNoEscaping(bytes: Buffer): boolean {
  return !bytes.includes(QUOTE) && !bytes.includes(BACKSLASH) && !hasControlByte(bytes);
}

/**
 * The text (well-formed UTF-8) as it stands between the quotes of a JSON string, byte for byte as JSON.stringify
 * writes it. Two passes, together about 0.4 GB/s.
 */
export function escapeText(text: Uint8Array): Buffer<ArrayBuffer> {
  const escaped = Buffer.allocUnsafeSlow(countWrittenBytes(text));
  const from = wordsOf(text);
  const to = wordsOf(escaped);
  const lastWord = text.length - 4;
  let write = 0;
  for (let read = 0; read < text.length; ) {
    if (read <= lastWord) {
      const word = from.getInt32(read, true);
      const mark = markSpecial(word);
      // The whole word fits, since four bytes of text are still to be written; what is special is overwritten.
      to.setInt32(write, word, true);
      const plainBytes = mark === 0 ? 4 : bytesBeforeMark(mark);
      read += plainBytes;
      write += plainBytes;
      if (mark === 0) continue;
    }
    const byte = text[read] as number;
    const writtenBytes = WRITTEN_BYTES[byte] as number;
    if (writtenBytes === 1) {
      escaped[write] = byte;
    } else if (writtenBytes === 2) {
      escaped[write] = BACKSLASH;
      escaped[write + 1] = SHORT_ESCAPES[byte] as number;
    } else {
      escaped.write(`\\u${byte.toString(16).padStart(4, '0')}`, write, 'latin1');
    }
    read += 1;
    write += writtenBytes;
  }
  return escaped;
}

/** The same for WTF-8: a lone surrogate as its escape, `\ud800`. Three passes more. */
export function escapeWtf8(text: Uint8Array): Buffer {
  const escaped = escapeText(text);
  let surrogates = 0;
  for (let i = 0; i < escaped.length; i += 1) if (isSurrogate(escaped, i)) surrogates += 1;
  const written = Buffer.allocUnsafeSlow(escaped.length + surrogates * 3);
  let write = 0;
  for (let read = 0; read < escaped.length; ) {
    if (isSurrogate(escaped, read)) {
      write += written.write(`\\u${surrogateAt(escaped, read).toString(16)}`, write, 'latin1');
      read += 3;
    } else written[write++] = escaped[read++] as number;
  }
  return written;
}

function countWrittenBytes(text: Uint8Array): number {
  const words = wordsOf(text);
  const lastWord = text.length - 4;
  let count = text.length;
  for (let i = 0; i < text.length; i += 1) {
    while (i <= lastWord) {
      const mark = markSpecial(words.getInt32(i, true));
      if (mark !== 0) {
        i += bytesBeforeMark(mark);
        break;
      }
      i += 4;
    }
    count += (WRITTEN_BYTES[text[i] ?? 0x20] as number) - 1;
  }
  return count;
}
