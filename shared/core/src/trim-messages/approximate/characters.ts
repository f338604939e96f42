/** Characters of a text as Python counts them: code points, a lone surrogate being one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const isHigh = (text.charCodeAt(i) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count -= 1;
      i += 1;
    }
  }
  return count;
}
