// Memory starts with the bytes that are looked at, of which there are no more than fit.

/** Whether one of the first bytes is a control character: 64 at a time. */
export function hasControlByte(length: i32): bool {
  const printable = i8x16.splat(0x20);
  let at: usize = 0;
  for (const whole: usize = length & ~63; at < whole; at += 64) {
    const first = v128.min<u8>(v128.load(at), v128.load(at + 16));
    const second = v128.min<u8>(v128.load(at + 32), v128.load(at + 48));
    if (v128.any_true(i8x16.lt_u(v128.min<u8>(first, second), printable))) return true;
  }
  for (; at < <usize>length; at++) if (load<u8>(at) < 0x20) return true;
  return false;
}
