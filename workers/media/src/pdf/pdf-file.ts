import { damaged } from '../unreadable.js';
import {
  ObjectParser,
  PdfBudget,
  type PdfDictionary,
  type PdfObject,
  PdfStream,
  Reference,
} from './objects.js';
import { streamBytes } from './stream-bytes.js';

/** Where an object is: in the file, or in a stream of objects. */
export type Place = { readonly offset: number } | { readonly stream: number; readonly index: number };

/** Where all objects of a file are, and where to begin. */
export interface CrossReferences {
  readonly places: ReadonlyMap<number, Place>;
  readonly trailer: PdfDictionary;
}

/** The objects of a PDF file, each parsed when it is asked for. */
export class PdfFile {
  readonly budget = new PdfBudget();
  /** Parsed once, however many refer to it. */
  readonly #objects = new WeakMap<CrossReferences['places'], Map<number, PdfObject>>();
  readonly #streams = new Map<number, { readonly bytes: Buffer; readonly offsets: readonly number[] }>();

  constructor(readonly bytes: Buffer) {}

  /** What an object comes to, if it refers to another one; null for one that is not there. Throws Unreadable. */
  resolve(object: PdfObject | undefined, references: CrossReferences): PdfObject {
    let resolved = object ?? null;
    for (let i = 0; resolved instanceof Reference; i++) {
      // References to references are rare, and never long chains.
      if (i === 8) throw damaged();
      resolved = this.object(resolved.number, references);
    }
    return resolved;
  }

  /** An object by its number; null for one that is not there. Throws Unreadable. */
  object(number: number, { places }: CrossReferences): PdfObject {
    let objects = this.#objects.get(places);
    if (objects === undefined) {
      objects = new Map();
      this.#objects.set(places, objects);
    }
    const known = objects.get(number);
    if (known !== undefined) return known;
    const place = places.get(number);
    const object = place === undefined ? null : this.#at(place, number, places);
    objects.set(number, object);
    return object;
  }

  parserAt(offset: number): ObjectParser {
    return new ObjectParser(this.bytes, offset, this.budget);
  }

  /** What a stream holds; its length is told, or ends where its end is. */
  decoded({ dictionary, start }: PdfStream): Buffer {
    const told = dictionary.get('/Length');
    const end = typeof told === 'number' ? start + told : this.#endOfStream(start);
    return streamBytes(this.bytes.subarray(start, end < start ? undefined : end), dictionary, this.budget);
  }

  #endOfStream(start: number): number {
    const end = this.bytes.indexOf('endstream', start);
    this.budget.takeBytes((end < 0 ? this.bytes.length : end) - start);
    return end;
  }

  #at(place: Place, number: number, places: CrossReferences['places']): PdfObject {
    if ('offset' in place) {
      const found = this.parserAt(place.offset).indirectObject();
      if (found.number !== number) throw damaged();
      return found.object;
    }
    const { bytes, offsets } = this.#objectStream(place.stream, places);
    const offset = offsets[place.index];
    if (offset === undefined) throw damaged();
    return new ObjectParser(bytes, offset, this.budget).object();
  }

  /** A stream of objects (§7.5.7): numbers and offsets of all of them stand before the first. */
  #objectStream(number: number, places: CrossReferences['places']) {
    const known = this.#streams.get(number);
    if (known !== undefined) return known;
    const place = places.get(number);
    if (place === undefined || !('offset' in place)) throw damaged();
    const stream = this.parserAt(place.offset).indirectObject().object;
    if (!(stream instanceof PdfStream)) throw damaged();
    const unpacked = this.unpack(stream);
    this.#streams.set(number, unpacked);
    return unpacked;
  }

  unpack(stream: PdfStream): { bytes: Buffer; offsets: number[]; numbers: number[] } {
    const bytes = this.decoded(stream);
    const [count, first] = [stream.dictionary.get('/N'), stream.dictionary.get('/First')];
    if (typeof count !== 'number' || typeof first !== 'number') throw damaged();
    const parser = new ObjectParser(bytes, 0, this.budget);
    const offsets: number[] = [];
    const numbers: number[] = [];
    for (let i = 0; i < count; i++) {
      const [number, offset] = [parser.object(), parser.object()];
      if (typeof number !== 'number' || typeof offset !== 'number') throw damaged();
      numbers.push(number);
      offsets.push(first + offset);
    }
    return { bytes, offsets, numbers };
  }
}
