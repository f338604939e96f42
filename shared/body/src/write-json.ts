import { finish, type Json, type JsonObject, type Steps, TextRange } from '@preflight/core';
import { escapeText, escapeWtf8, needsNoEscaping } from './escape.js';

/**
 * The JSON of a value, equal to what JSON.stringify gives if the ranges were strings. Ranges are copied once and never
 * become strings.
 */
export function writeJson(value: Json): Buffer {
  return Buffer.concat(writeJsonChunks(value));
}

/**
 * The JSON of a value, in pieces to be sent one after the other. Ranges in which nothing must be escaped are views
 * of their own memory, so that megabytes of base64 cost one scan (0.2 ms a megabyte) and no copy. Of any depth.
 */
export function writeJsonChunks(value: Json): Uint8Array[] {
  return finish(writeJsonSteps(value));
}

/** The same, in steps of about a millisecond. */
export function* writeJsonSteps(value: Json): Steps<Uint8Array[]> {
  const writer = new JsonWriter();
  yield* writer.write(value);
  return writer.end();
}

/** What is written in one step, as `weightLeft` measures it; JSON.stringify is several times faster than we are. */
const STEP_WEIGHT = 4096;
/** So many characters of a string weigh as much as a value. */
const CHARACTERS_PER_WEIGHT = 32;
/** JSON.stringify recurses, so that what is nested more deeply than this is kept from it. */
const MAX_NATIVE_DEPTH = 500;
/** Bytes of a range that are looked at and escaped in one step. */
const STEP_BYTES = 256 * 1024;
/** Text of this length becomes a piece. */
const PIECE_LENGTH = 64 * 1024;

/** A container that is being written, and how many of its values have been. */
interface Open {
  readonly container: Json[] | JsonObject;
  /** The keys of an object; undefined for an array. */
  readonly keys: readonly string[] | undefined;
  written: number;
}

class JsonWriter {
  readonly #chunks: Uint8Array[] = [];
  readonly #open: Open[] = [];
  /** What is written, but not yet in a chunk. */
  #text = '';
  /** What may still be written in this step. */
  #weightLeft = STEP_WEIGHT;

  *write(value: Json): Steps<void> {
    yield* this.#start(value);
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      if (this.#weightLeft <= 0) yield* this.#endStep();
      const { container, keys, written } = open;
      if (written === (keys ?? (container as Json[])).length) {
        this.#text += keys ? '}' : ']';
        this.#open.pop();
        continue;
      }
      if (written > 0) this.#text += ',';
      if (keys) {
        const key = keys[written] as string;
        this.#text += `${JSON.stringify(key)}:`;
        open.written += 1;
        yield* this.#start((container as JsonObject)[key] as Json);
      } else if (!this.#writeRun(open, container as Json[])) {
        open.written += 1;
        yield* this.#start((container as Json[])[written] as Json);
      }
    }
  }

  end(): Uint8Array[] {
    this.#flush();
    return this.#chunks;
  }

  /** Writes a value, or opens a container whose values will be written one by one. */
  *#start(value: Json): Steps<void> {
    if (value instanceof TextRange) {
      yield* this.#writeRange(value);
      return;
    }
    const weightLeft = weightLeftAfter(value, STEP_WEIGHT);
    if (weightLeft >= 0 || value === null || typeof value !== 'object') {
      this.#text += JSON.stringify(value);
      this.#weightLeft -= STEP_WEIGHT - weightLeft;
    } else if (Array.isArray(value)) {
      this.#text += '[';
      this.#open.push({ container: value, keys: undefined, written: 0 });
    } else {
      this.#text += '{';
      this.#open.push({ container: value, keys: Object.keys(value), written: 0 });
    }
  }

  /** Writes the next values of a list that are small, several at a time; false if the next one is not. */
  #writeRun(open: Open, list: readonly Json[]): boolean {
    const start = open.written;
    let end = start;
    let weightLeft = STEP_WEIGHT;
    while (end < list.length) {
      const left = weightLeftAfter(list[end] as Json, weightLeft);
      if (left < 0) break;
      weightLeft = left;
      end += 1;
    }
    if (end === start) return false;
    this.#text += JSON.stringify(list.slice(start, end)).slice(1, -1);
    this.#weightLeft -= STEP_WEIGHT - weightLeft;
    open.written = end;
    return true;
  }

  *#writeRange(range: TextRange): Steps<void> {
    const { buffer, byteOffset, byteLength } = range.given ?? range.bytes();
    const text = Buffer.from(buffer, byteOffset, byteLength);
    this.#text += '"';
    /** All before is in a chunk. */
    let done = 0;
    for (let start = 0; start < byteLength; ) {
      if (start > 0) yield* this.#endStep();
      const end = characterStart(text, Math.min(start + STEP_BYTES, byteLength));
      const stretch = text.subarray(start, end);
      if (range.given || !needsNoEscaping(stretch)) {
        this.#push(text.subarray(done, start));
        this.#push(range.given ? escapeWtf8(stretch) : escapeText(stretch));
        done = end;
      }
      start = end;
    }
    this.#push(text.subarray(done));
    this.#text += '"';
    this.#weightLeft -= byteLength / CHARACTERS_PER_WEIGHT;
  }

  *#endStep(): Steps<void> {
    if (this.#text.length > PIECE_LENGTH) this.#flush();
    this.#weightLeft = STEP_WEIGHT;
    yield;
  }

  #push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#flush();
    this.#chunks.push(chunk);
  }

  #flush(): void {
    if (this.#text !== '') this.#chunks.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/**
 * What is left of `weight` when a value has been written: one is taken off for each value, and more for long strings.
 * Less than 0 for what is too heavy, and for what JSON.stringify cannot write: ranges, and very deep nesting.
 */
function weightLeftAfter(value: Json, weight: number, depth = 0): number {
  if (typeof value === 'string') return weight - 1 - value.length / CHARACTERS_PER_WEIGHT;
  if (value === null || typeof value !== 'object') return weight - 1;
  if (value instanceof TextRange || depth === MAX_NATIVE_DEPTH) return -1;
  let left = weight - 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i += 1)
      left = weightLeftAfter(value[i] as Json, left, depth + 1);
    return left;
  }
  for (const key of Object.keys(value)) {
    if (left < 0) break;
    left = weightLeftAfter(value[key] as Json, left - key.length / CHARACTERS_PER_WEIGHT, depth + 1);
  }
  return left;
}

/** The start of the character at an offset of UTF-8 or WTF-8; the length is one as well. */
function characterStart(text: Buffer, offset: number): number {
  let start = offset;
  while (start < text.length && ((text[start] as number) & 0xc0) === 0x80) start -= 1;
  return start;
}
