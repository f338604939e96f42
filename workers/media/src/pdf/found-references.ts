import { isLocal } from '../unreadable.js';
import { isDictionary, type PdfDictionary, type PdfObject, PdfStream, Reference } from './objects.js';
import type { CrossReferences, PdfFile, Place } from './pdf-file.js';

/** Where objects begin, in a file that does not say it rightly. */
const OBJECT_START = /(?<![\d])(\d{1,10})[\s\0]{1,8}\d{1,5}[\s\0]{1,8}obj(?![a-z])/g;
const TRAILER = /trailer(?=[\s\0]*<<)/g;

/** Text that is searched at a time, and how much of it twice: longer than the start of an object. */
const SEARCH_BYTES = 1024 * 1024;
const OVERLAP_BYTES = 64;

/** Where the objects of a damaged file are found by looking for them; the last of those with the same number counts. */
export function foundReferences(file: PdfFile): CrossReferences {
  const places = new Map<number, Place>();
  for (const { index, number } of matches(file, OBJECT_START)) places.set(number, { offset: index });
  let trailer: PdfDictionary = new Map();
  const streams: [number, PdfStream][] = [];
  for (const [number, place] of places) {
    const object =
      'offset' in place ? readable(() => file.parserAt(place.offset).indirectObject().object) : undefined;
    if (isDictionary(object) && object.get('/Type') === '/Catalog')
      trailer = new Map<string, PdfObject>([...trailer, ['/Root', new Reference(number)]]);
    if (!(object instanceof PdfStream)) continue;
    const type = object.dictionary.get('/Type');
    if (type === '/ObjStm') streams.push([number, object]);
    // A stream of references is a trailer as well.
    if (type === '/XRef') trailer = new Map([...trailer, ...object.dictionary]);
  }
  for (const { index } of matches(file, TRAILER)) {
    const found = readable(() => file.parserAt(index + 'trailer'.length).object());
    if (isDictionary(found)) trailer = new Map([...trailer, ...found]);
  }
  if (trailer.has('/Encrypt')) return { places, trailer };
  for (const [number, stream] of streams) {
    const numbers = readable(() => file.unpack(stream).numbers) ?? [];
    for (const [index, packed] of numbers.entries())
      if (!places.has(packed)) places.set(packed, { stream: number, index });
  }
  return { places, trailer };
}

function* matches(
  file: PdfFile,
  pattern: RegExp,
): Generator<{ readonly index: number; readonly number: number }> {
  for (let start = 0; start < file.bytes.length; start += SEARCH_BYTES) {
    const text = file.bytes.toString('latin1', start, start + SEARCH_BYTES + OVERLAP_BYTES);
    for (const match of text.matchAll(pattern)) {
      file.budget.takeRow();
      if (match.index < SEARCH_BYTES) yield { index: start + match.index, number: Number(match[1]) };
    }
  }
}

/** Undefined for what cannot be read; what took too long or is too large ends the search. */
function readable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (isLocal(error)) return undefined;
    throw error;
  }
}
