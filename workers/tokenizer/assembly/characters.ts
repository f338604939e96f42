// Characters of well-formed UTF-8 and their classes.

import { CLASSES, CLASS_BLOCKS, PLANE_CLASSES } from "./layout";

/** Class of the character at `at`. */
// @ts-ignore: decorator
@inline
export function classAt(at: usize): i32 {
  const byte = load<u8>(at) as i32;
  return byte < 0x80 ? (load<u8>(CLASSES + (byte as usize)) as i32) : wideClassAt(at, byte);
}

// @ts-ignore: decorator
@inline
function classOf(codePoint: i32): i32 {
  const block = load<u16>(CLASS_BLOCKS + ((codePoint >> 7 << 1) as usize)) as i32;
  return load<u8>(CLASSES + (((block << 7) | (codePoint & 127)) as usize)) as i32;
}

/** Class of the character at `at`, whose first byte is `lead` and not ASCII. */
// @ts-ignore: decorator
@inline
export function wideClassAt(at: usize, lead: i32): i32 {
  const second = (load<u8>(at, 1) & 63) as i32;
  if (lead < 0xe0) return load<u8>(PLANE_CLASSES + ((((lead & 31) << 6) | second) as usize)) as i32;
  const third = (load<u8>(at, 2) & 63) as i32;
  if (lead < 0xf0) return load<u8>(PLANE_CLASSES + ((((lead & 15) << 12) | (second << 6) | third) as usize)) as i32;
  // Bytes of no character (chunks pushed by mistake) must not leave the table.
  return classOf(min(((lead & 7) << 18) | (second << 12) | (third << 6) | ((load<u8>(at, 3) & 63) as i32), 0x10ffff));
}

/** Where the character at `at` ends. By branches, which are foreseen, so that nobody waits for its class to go on. */
// @ts-ignore: decorator
@inline
export function behindCharacter(at: usize): usize {
  const lead = load<u8>(at);
  if (lead < 0x80) return at + 1;
  if (lead < 0xe0) return at + 2;
  if (lead < 0xf0) return at + 3;
  return at + 4;
}

/** Length of the contraction at `at` ('s 't 're 've 'm 'll 'd), 0 if there is none. */
export function contractionLength(at: usize, anyCase: bool): usize {
  if (load<u8>(at) != 0x27) return 0;
  const fold: i32 = anyCase ? 0x20 : 0;
  const first = (load<u8>(at, 1) as i32) | fold;
  if (first == 0x73 || first == 0x74 || first == 0x6d || first == 0x64) return 2;
  const second = (load<u8>(at, 2) as i32) | fold;
  if ((first == 0x72 || first == 0x76) && second == 0x65) return 3;
  if (first == 0x6c && second == 0x6c) return 3;
  // The long s is a case variant of s.
  return anyCase && load<u16>(at, 1) == 0xbfc5 ? 3 : 0;
}
