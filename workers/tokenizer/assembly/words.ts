// Words of random text (base64): Latin letters, the first perhaps a + / - or _ instead. Most have two to four
// characters and no memo has met them, so tables of all of them say into how many tokens they fall.

import { WORD_CODES, WORD_COUNTS, WORD_ENDS, WORD_TWINS } from "./layout";
import { IS_O200K } from "./pattern";
import { mergeShort } from "./merge";

/** Index of the word whose one to four characters are the bytes of `word`, the first lowest, zeros behind. */
// @ts-ignore: decorator
@inline
function wordIndex(word: u32): usize {
  const first = load<u8>(WORD_CODES + ((word & 0xff) as usize)) as usize;
  if (IS_O200K) {
    const capitals = popcnt((word >> 1) & ~word & 0x20202020) as usize;
    return first + 31 * (((word >> 8) & 31) as usize) + 837 * (((word >> 16) & 31) as usize)
      + 22599 * (((word >> 24) & 31) as usize) + 610173 * capitals;
  }
  const codes = (word & 0x1f1f1f00) + ((word >> 5) & 0x01010100) * 26;
  return first + 57 * (((codes >> 8) & 0xff) as usize) + 3021 * (((codes >> 16) & 0xff) as usize)
    + 160113 * ((codes >> 24) as usize);
}

/** Index of the word of `length` characters at `at`, one to four. */
// @ts-ignore: decorator
@inline
function wordIndexAt(at: usize, length: i32): usize {
  return wordIndex(load<u32>(at) & (u32.MAX_VALUE >> ((32 - (length << 3)) as u32)));
}

/** Token count of the word with this index, less one. */
// @ts-ignore: decorator
@inline
function wordCount(index: usize): i32 {
  return ((load<u8>(WORD_COUNTS + (index >> 2)) as i32) >> (((index & 3) << 1) as i32)) & 3;
}

/** Token count less one, and length of the last token less one in the next two bits. */
// @ts-ignore: decorator
@inline
function wordEnd(index: usize): i32 {
  return ((load<u8>(WORD_ENDS + (index >> 1)) as i32) >> (((index & 1) << 2) as i32)) & 15;
}

// @ts-ignore: decorator
@inline
function isTwin(index: usize): bool {
  return ((load<u8>(WORD_TWINS + (index >> 3)) >> ((index & 7) as u8)) & 1) != 0;
}

/** Token count of the words at the bits of `words`, two to four characters each, that end at the next of `starts`. */
// @ts-ignore: decorator
@inline
export function countShortWords(at: usize, words: u64, starts: u64): i32 {
  let total = popcnt(words) as i32;
  while (words != 0) {
    const i = ctz(words);
    words &= words - 1;
    const length = (ctz(starts >> (i + 1)) + 1) as i32;
    total += wordCount(wordIndexAt(at + (i as usize), length));
  }
  return total;
}

/** wordEnd of two tokens, the last of `length` letters. */
// @ts-ignore: decorator
@inline
function twoTokens(length: i32): i32 {
  return 1 | ((length - 1) << 2);
}

/**
 * Token count of a word of five or more characters, letter by letter. Of every prefix the length of its last
 * token is known; the last token of the next prefix is the one token that stands stably behind the last token
 * of what is before it, and whether two tokens of together up to four letters do is in the tables.
 */
export function countLongWord(at: usize, length: i32): i32 {
  const three = wordEnd(wordIndexAt(at, 3));
  const two = wordEnd(wordIndexAt(at, 2));
  // Count, and length of the last token, of the prefixes that are one, two and three letters shorter.
  let count1 = (three & 3) + 1;
  let last1 = (three >> 2) + 1;
  let count2 = (two & 3) + 1;
  let last2 = (two >> 2) + 1;
  let count3 = 1;
  let last3 = 1;
  for (let end: usize = 4; end <= (length as usize); end++) {
    const behind = at + end;
    let count: i32;
    let last: i32;
    if (last1 <= 3 && wordEnd(wordIndexAt(behind - (last1 as usize) - 1, last1 + 1)) == twoTokens(1)) {
      count = count1 + 1;
      last = 1;
    } else if (last2 == 2 ? isTwin(wordIndexAt(behind - 4, 4)) : last2 == 1 && wordEnd(wordIndexAt(behind - 3, 3)) == twoTokens(2)) {
      count = count2 + 1;
      last = 2;
    } else if (last3 == 1 && wordEnd(wordIndexAt(behind - 4, 4)) == twoTokens(3)) {
      count = count3 + 1;
      last = 3;
    } else {
      return mergeShort(at, length);
    }
    count3 = count2;
    last3 = last2;
    count2 = count1;
    last2 = last1;
    count1 = count;
    last1 = last;
  }
  return count1;
}
