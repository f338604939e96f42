import { damaged } from '../unreadable.js';
import { isDictionary, type PdfDictionary, PdfStream } from './objects.js';
import type { CrossReferences, PdfFile, Place } from './pdf-file.js';

/** `startxref` stands in the last bytes of a sound file. */
const TAIL_BYTES = 2048;
/** One update adds one. */
const MAX_SECTIONS = 512;

/**
 * Where the file says that its objects are (ISO 32000-1 §7.5.4, §7.5.8): tables or streams, the newest first. Throws
 * Unreadable.
 */
export function toldReferences(file: PdfFile): CrossReferences {
  const { bytes } = file;
  const mark = bytes.lastIndexOf('startxref');
  if (mark < bytes.length - TAIL_BYTES || mark < 0) throw damaged();
  // Offsets count from where the file says that it is a PDF, whatever stands before.
  const base = Math.max(0, bytes.indexOf('%PDF-'));
  const places = new Map<number, Place>();
  let trailer: PdfDictionary | undefined;
  const waiting = [file.parserAt(mark + 'startxref'.length).object()];
  const seen = new Set<number>();
  while (waiting.length > 0) {
    const offset = waiting.shift();
    if (typeof offset !== 'number' || offset < 0 || seen.has(offset)) continue;
    seen.add(offset);
    if (seen.size > MAX_SECTIONS) throw damaged();
    const section = readSection(file, base + offset, base, places);
    trailer ??= section;
    // A table may have a stream beside it, which comes before what is older.
    waiting.push(section.get('/XRefStm') ?? null, section.get('/Prev') ?? null);
  }
  if (trailer === undefined) throw damaged();
  return { places, trailer };
}

function readSection(file: PdfFile, offset: number, base: number, places: Map<number, Place>): PdfDictionary {
  const parser = file.parserAt(offset);
  if (parser.object() === 'xref') return readTable(file, parser.at, base, places);
  const { object } = file.parserAt(offset).indirectObject();
  if (!(object instanceof PdfStream)) throw damaged();
  readStream(file, object, base, places);
  return object.dictionary;
}

/** Lines of 20 bytes: offset, generation, and whether the object is in use. */
function readTable(file: PdfFile, start: number, base: number, places: Map<number, Place>): PdfDictionary {
  const parser = file.parserAt(start);
  for (;;) {
    const first = parser.object();
    if (first === 'trailer') break;
    const count = parser.object();
    if (typeof first !== 'number' || typeof count !== 'number') throw damaged();
    for (let i = 0; i < count; i++) {
      const row = parser.row();
      if (row === undefined || Number.isNaN(row.offset)) throw damaged();
      if (row.isUsed && !places.has(first + i)) places.set(first + i, { offset: base + row.offset });
    }
  }
  const trailer = parser.object();
  if (!isDictionary(trailer)) throw damaged();
  return trailer;
}

const IN_FILE = 1;
const IN_STREAM = 2;

/** Rows of numbers, whose widths are told. */
function readStream(file: PdfFile, stream: PdfStream, base: number, places: Map<number, Place>): void {
  const { dictionary } = stream;
  const widths = dictionary.get('/W');
  const size = dictionary.get('/Size');
  if (!isNumbers(widths) || widths.length < 3 || widths.some((width) => width < 0 || width > 8))
    throw damaged();
  const index = dictionary.get('/Index') ?? [0, size ?? 0];
  if (!isNumbers(index)) throw damaged();
  const bytes = file.decoded(stream);
  const [typeWidth, secondWidth, thirdWidth] = widths as [number, number, number];
  let at = 0;
  const next = (width: number) => {
    let number = 0;
    for (let i = 0; i < width; i++) number = number * 0x100 + (bytes[at++] as number);
    return number;
  };
  const rowBytes = typeWidth + secondWidth + thirdWidth;
  if (rowBytes === 0) throw damaged();
  for (let range = 0; range + 1 < index.length; range += 2) {
    const [first, count] = [index[range] as number, index[range + 1] as number];
    for (let i = 0; i < count && at + rowBytes <= bytes.length; i++) {
      file.budget.takeRow();
      const type = typeWidth === 0 ? IN_FILE : next(typeWidth);
      const [second, third] = [next(secondWidth), next(thirdWidth)];
      if (places.has(first + i)) continue;
      if (type === IN_FILE) places.set(first + i, { offset: base + second });
      else if (type === IN_STREAM) places.set(first + i, { stream: second, index: third });
    }
  }
}

function isNumbers(object: unknown): object is readonly number[] {
  return Array.isArray(object) && object.every((item) => typeof item === 'number');
}
