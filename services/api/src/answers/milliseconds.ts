/** As answers tell them: to a hundredth. */
export function milliseconds(value: number): number {
  return Math.round(value * 100) / 100;
}
