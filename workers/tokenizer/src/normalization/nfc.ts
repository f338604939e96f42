/** Shorter runs of marks are put in order as they are. */
const LONG_MARKS = /\p{M}{64,}/gu;

/** The text in NFC, in time linear in it: `normalize` alone is quadratic in a run of marks that are out of order. */
export function toNfc(text: string): string {
  return text.replace(LONG_MARKS, inOrder).normalize('NFC');
}

/** Marks in canonical order, decomposed. Those of class 0 keep their place, and others do not pass them. */
function inOrder(marks: string): string {
  const ordered: string[] = [];
  let span: string[] = [];
  for (const given of marks)
    for (const mark of given.normalize('NFD')) {
      if (hasClass(mark)) span.push(mark);
      else {
        for (const each of sorted(span)) ordered.push(each);
        ordered.push(mark);
        span = [];
      }
    }
  for (const each of sorted(span)) ordered.push(each);
  return ordered.join('');
}

/** By class; marks of one class stay in the order in which they came. */
function sorted(span: readonly string[]): string[] {
  const distinct = [...new Set(span)].sort((x, y) => Number(passes(x, y)) - Number(passes(y, x)));
  const places = new Map<string, number>();
  let place = 0;
  for (const [i, mark] of distinct.entries()) {
    if (i > 0 && passes(mark, distinct[i - 1] as string)) place++;
    places.set(mark, place);
  }
  return [...span].sort((x, y) => (places.get(x) as number) - (places.get(y) as number));
}

/** A mark of the highest class that is common, and one of the lowest class. */
const ACUTE = '\u0301';
const TILDE_OVERLAY = '\u0334';

const classed = new Map<string, boolean>();

/** Whether the combining class is not 0; JavaScript tells it only by what is put in order. */
function hasClass(mark: string): boolean {
  let known = classed.get(mark);
  if (known === undefined) {
    known =
      passes(mark, TILDE_OVERLAY) ||
      passes(ACUTE, mark) ||
      passes(mark, ACUTE) ||
      passes(TILDE_OVERLAY, mark);
    classed.set(mark, known);
  }
  return known;
}

/** Whether the second of two marks belongs before the first. */
function passes(first: string, second: string): boolean {
  return (first + second).normalize('NFD') !== first + second;
}
