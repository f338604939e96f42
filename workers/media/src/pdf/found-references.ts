import { isLocal } from '../unreadable.js';
import { isDictionary, type PdfDictionary, type PdfObject, PdfStream, Reference } from './objects.js';
import type { CrossReferences, PdfFile, Place } from './pdf-file.js';

/** Where the objects of a damaged file are found by looking for them; the last of those with the same number counts. */
export function foundReferences(file: PdfFile): CrossReferences {
  const places = new Map<number, Place & { readonly offset: number }>();
  for (const { offset, number } of objectStarts(file)) places.set(number, { offset });
  const trailer = new Map<string, PdfObject>();
  const addToTrailer = (entries: PdfDictionary) => {
    for (const [name, object] of entries) trailer.set(name, object);
  };
  const streams: [number, PdfStream][] = [];
  for (const [number, { offset }] of places) {
    const object = readable(file, () => file.parserAt(offset).indirectDictionary());
    if (isDictionary(object) && object.get('/Type') === '/Catalog')
      trailer.set('/Root', new Reference(number));
    if (!(object instanceof PdfStream)) continue;
    const type = object.dictionary.get('/Type');
    if (type === '/ObjStm') streams.push([number, object]);
    // A stream of references is a trailer as well.
    if (type === '/XRef') addToTrailer(object.dictionary);
  }
  for (const offset of occurrences(file, TRAILER)) {
    const found = readable(file, () => file.parserAt(offset + TRAILER.length).dictionary());
    if (found !== undefined) addToTrailer(found);
  }
  const all = new Map<number, Place>(places);
  if (trailer.has('/Encrypt')) return { places: all, trailer };
  for (const [number, stream] of streams) {
    const numbers = readable(file, () => file.unpack(stream).numbers) ?? [];
    for (const [index, packed] of numbers.entries())
      if (!all.has(packed)) all.set(packed, { stream: number, index });
  }
  return { places: all, trailer };
}

const TRAILER = 'trailer';
const OBJECT = 'obj';

/** Where objects begin, in a file that does not say it rightly: number, generation, `obj`. */
function* objectStarts(file: PdfFile): Generator<{ readonly offset: number; readonly number: number }> {
  const { bytes } = file;
  for (const at of occurrences(file, OBJECT)) {
    const next = bytes[at + OBJECT.length] as number;
    if (next >= 0x61 && next <= 0x7a) continue;
    const generation = before(bytes, before(bytes, at, isWhite, 8), isDigit, 5);
    const offset = before(bytes, before(bytes, generation, isWhite, 8), isDigit, 10);
    if (offset >= 0 && !isDigit(bytes[offset - 1]))
      yield { offset, number: Number.parseInt(bytes.toString('latin1', offset, offset + 10), 10) };
  }
}

/** Where the bytes of a kind begin that end before `end`: one at least and so many at most, else -1. */
function before(
  bytes: Buffer,
  end: number,
  isOf: (byte: number | undefined) => boolean,
  most: number,
): number {
  let start = end;
  while (end - start < most && isOf(bytes[start - 1])) start -= 1;
  return start === end ? -1 : start;
}

function isWhite(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9 || byte === 12 || byte === 0;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function* occurrences({ bytes, budget }: PdfFile, word: string): Generator<number> {
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + word.length)) {
    budget.takePlace();
    yield at;
  }
}

/** Undefined for what cannot be read; what took too long or is too large ends the search. */
function readable<Result>({ budget }: PdfFile, read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!isLocal(error)) throw error;
    budget.takeFault();
    return undefined;
  }
}
