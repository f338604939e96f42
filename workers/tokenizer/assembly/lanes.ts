// Sixteen bytes at a time.

/** Lanes of bytes from `first` to `last`. */
// @ts-ignore: decorator
@inline
export function within(bytes: v128, first: i32, last: i32): v128 {
  return i8x16.le_u(i8x16.sub(bytes, i8x16.splat(first as i8)), i8x16.splat((last - first) as i8));
}

/** How many lanes are set before the first that is not. */
// @ts-ignore: decorator
@inline
export function leading(lanes: v128): usize {
  return ctz(~i8x16.bitmask(lanes)) as usize;
}

/** Lanes of ASCII letters. */
// @ts-ignore: decorator
@inline
export function letters(bytes: v128): v128 {
  return within(v128.or(bytes, i8x16.splat(0x20)), 0x61, 0x7a);
}

/** Lanes of printable ASCII that is no letter, digit or space. */
// @ts-ignore: decorator
@inline
export function symbols(bytes: v128): v128 {
  return v128.andnot(within(bytes, 0x21, 0x7e), v128.or(within(bytes, 0x30, 0x39), letters(bytes)));
}
