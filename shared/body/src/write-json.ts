import { type Json, type JsonObject, TextRange } from '@preflight/core';
import { containersOfRanges } from './containers-of-ranges.js';
import { escapeText, needsNoEscaping } from './escape.js';

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
  const writer = new JsonWriter(containersOfRanges(value));
  writer.write(value);
  return writer.end();
}

/** A container that is being written, and how many of its values have been. */
interface Open {
  readonly container: Json[] | JsonObject;
  /** The keys of an object; undefined for an array. */
  readonly keys: readonly string[] | undefined;
  written: number;
}

class JsonWriter {
  /** What must be written here; JSON.stringify is several times faster, and writes all the rest. */
  readonly #writtenHere: ReadonlySet<Json>;
  readonly #chunks: Uint8Array[] = [];
  readonly #open: Open[] = [];
  /** What is written, but not yet in a chunk. */
  #text = '';

  constructor(writtenHere: ReadonlySet<Json>) {
    this.#writtenHere = writtenHere;
  }

  write(value: Json): void {
    this.#start(value);
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      const { container, keys, written } = open;
      if (written === (keys ?? (container as Json[])).length) {
        this.#text += keys ? '}' : ']';
        this.#open.pop();
        continue;
      }
      open.written += 1;
      if (written > 0) this.#text += ',';
      if (keys) {
        const key = keys[written] as string;
        this.#text += `${JSON.stringify(key)}:`;
        this.#start((container as JsonObject)[key] as Json);
      } else {
        this.#start((container as Json[])[written] as Json);
      }
    }
  }

  end(): Uint8Array[] {
    this.#flush();
    return this.#chunks;
  }

  /** Writes a value, or opens a container whose values will be written one by one. */
  #start(value: Json): void {
    if (value instanceof TextRange) {
      this.#writeRange(value);
    } else if (!this.#writtenHere.has(value)) {
      this.#text += JSON.stringify(value);
    } else if (Array.isArray(value)) {
      this.#text += '[';
      this.#open.push({ container: value, keys: undefined, written: 0 });
    } else {
      this.#text += '{';
      this.#open.push({ container: value as JsonObject, keys: Object.keys(value as JsonObject), written: 0 });
    }
  }

  #writeRange(range: TextRange): void {
    const text = Buffer.from(range.buffer, range.start, range.byteLength);
    this.#text += '"';
    this.#flush();
    this.#chunks.push(needsNoEscaping(text) ? text : escapeText(text));
    this.#text += '"';
  }

  #flush(): void {
    if (this.#text !== '') this.#chunks.push(Buffer.from(this.#text));
    this.#text = '';
  }
}
