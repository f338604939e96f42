import {
  BlobText,
  type Countable,
  type MediaFacts,
  type MediaKind,
  type MediaPart,
  mediaKindOfType,
  TextRange,
  type TextRef,
} from '@preflight/core';
import type { EncodingName, FileFacts, InspectedFile, Pool, WorkOptions } from '@preflight/pool';
import type { CountCache, CountEntry, PayloadStore } from '@preflight/storage';
import { payloadOf } from '../texts/payload.js';
import { unknownDigests } from '../texts/stored-text.js';
import { type FileKeys, factsOfEntry, fileKeys, numbersOfFacts, payloadKeys } from './facts-cache.js';

export interface MediaStores {
  readonly pool: Pool;
  readonly cache: CountCache;
  readonly payloads: PayloadStore;
}

export interface MediaFactsOptions extends WorkOptions {
  /** In which the text of documents is counted. */
  readonly encoding: EncodingName;
  /** Digests of payloads that are known already, by the texts that they stand in. */
  readonly digests?: ReadonlyMap<TextRef, string> | undefined;
}

/**
 * What each file is, in order: read from its bytes by threads, the text of documents (PDF, plain text) counted in
 * `encoding`. What nobody can read is `unreadable`, and no error; a file that only the provider can get is `unreadable` because it
 * is `not_here`.
 *
 * A file whose digest is known, since it counts as text as well, a document, and a file that came apart (`PUT /v1/blobs`) are read
 * once, and never again while the cache remembers. Any other is read where it stands in the request, since its header costs
 * less than its digest: some 20 µs of a thread's time. Equal files of one request are read once.
 *
 * Rejects with `unknown_digests` for a file that came apart and is neither known nor stored, and with the pool's codes.
 */
export async function mediaFacts(
  stores: MediaStores,
  parts: readonly MediaPart[],
  options: MediaFactsOptions,
): Promise<MediaFacts[]> {
  const reader = new FactsReader(stores, options);
  const facts = await reader.ofFiles(parts.map(fileOf));
  const textTokens = await reader.ofTexts(parts.map(({ texts }) => texts ?? []));
  return parts.map((part, i) => {
    const ofFile = facts[i] as MediaFacts | undefined;
    return withTexts(ofFile ?? notHere(part), part, textTokens[i] as number);
  });
}

/** A file that is to be read, and how it is known. */
interface File {
  readonly data: TextRef | BlobText;
  readonly kind: MediaKind | undefined;
}

function fileOf(part: MediaPart): File | undefined {
  return part.data === undefined ? undefined : { data: part.data, kind: kindOf(part) };
}

/** By what the place says, or else by the stated type. */
function kindOf({ kind, mimeType }: MediaPart): MediaKind | undefined {
  return kind ?? (mimeType === undefined ? undefined : mediaKindOfType(mimeType));
}

function notHere(part: MediaPart): MediaFacts {
  const as = kindOf(part);
  return { kind: 'unreadable', reason: 'not_here', ...(as && { as }) };
}

/** What stands in the request as text counts with what stands in the file. */
function withTexts(facts: MediaFacts, { data, texts }: MediaPart, textTokens: number): MediaFacts {
  if (texts === undefined) return facts;
  if (data === undefined && facts.kind === 'unreadable' && (facts.as ?? 'text') === 'text')
    return { kind: 'text', textTokens };
  if (facts.kind === 'text') return { ...facts, textTokens: facts.textTokens + textTokens };
  if (facts.kind === 'pdf' && facts.textTokens !== undefined)
    return { ...facts, textTokens: facts.textTokens + textTokens };
  return facts;
}

class FactsReader {
  #lastRead: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly stores: MediaStores,
    private readonly options: MediaFactsOptions,
  ) {}

  /** Undefined where there is no file. */
  async ofFiles(files: readonly (File | undefined)[]): Promise<(MediaFacts | undefined)[]> {
    const distinct = new Map<string | TextRange, Promise<MediaFacts>>();
    const inspected = await this.#inspect(
      files.filter((file): file is File => file !== undefined && this.#isUnnamed(file)),
    );
    return Promise.all(
      files.map((file) => {
        if (file === undefined) return undefined;
        const name = nameOf(file);
        let facts = distinct.get(name);
        if (facts === undefined) {
          facts = this.#ofFile(file, inspected.get(file));
          distinct.set(name, facts);
        }
        return facts;
      }),
    );
  }

  /** Tokens of the texts of each. */
  async ofTexts(lists: readonly (readonly TextRef[])[]): Promise<number[]> {
    const countables = lists.flat().map((text): Countable => [text]);
    if (countables.length === 0) return lists.map(() => 0);
    const counts = await this.stores.pool.countAll(this.options.encoding, countables, this.options);
    let at = 0;
    return lists.map((texts) => texts.reduce((sum) => sum + (counts[at++] as number), 0));
  }

  /** Whether a file is to be looked at before anybody knows its digest. */
  #isUnnamed({ data }: File): boolean {
    return !(data instanceof BlobText) && this.options.digests?.get(data) === undefined;
  }

  /** The headers of files, all in one go. */
  async #inspect(files: readonly File[]): Promise<ReadonlyMap<File, FileFacts>> {
    if (files.length === 0) return new Map();
    const facts = await this.stores.pool.inspectAll(files.map(inRequest), this.options);
    return new Map(files.map((file, i) => [file, facts[i] as FileFacts]));
  }

  async #ofFile(file: File, inspected: FileFacts | undefined): Promise<MediaFacts> {
    const { data, kind } = file;
    if (data instanceof BlobText) return this.#ofBlob(data, kind);
    // Of what is no document, the header has told all.
    if (inspected !== undefined && inspected.kind !== 'text' && !isPdf(inspected)) return inspected;
    return this.#once(await this.#keys(data, kind), async () => {
      const asked = inRequest(file);
      const [facts] = inspected ? [inspected] : await this.stores.pool.inspectAll([asked], this.options);
      return this.#read(facts as FileFacts, asked);
    });
  }

  async #keys(text: TextRef, kind: MediaKind | undefined): Promise<FileKeys> {
    const { encoding, digests } = this.options;
    const payload = text instanceof TextRange ? payloadOf(text) : text;
    const known = digests?.get(text);
    const [digest] = known ? [{ hex: known }] : await this.stores.pool.digestAll([[payload]], this.options);
    return payloadKeys((digest as { hex: string }).hex, { front: frontOf(text, payload), kind }, encoding);
  }

  async #ofBlob({ blob }: BlobText, kind: MediaKind | undefined): Promise<MediaFacts> {
    const keys = fileKeys(blob.sha256, kind, this.options.encoding);
    return this.#once(keys, async () => {
      const bytes = await this.stores.payloads.get(blob.sha256);
      if (bytes === undefined) throw unknownDigests([blob.sha256]);
      const data = new TextRange(bytes.buffer, bytes.byteOffset, bytes.byteOffset + bytes.length);
      const file: InspectedFile = { data, form: 'bytes', kind };
      const [facts] = await this.stores.pool.inspectAll([file], this.options);
      return this.#read(facts as FileFacts, file);
    });
  }

  /** What the cache knows, or what is read now, for those who come later. */
  async #once(keys: FileKeys, read: () => Promise<MediaFacts>): Promise<MediaFacts> {
    const known = factsOfEntry(await this.stores.cache.getMany([keys.facts, keys.tokens]));
    if (known !== undefined) return known;
    const facts = await this.#inTurn(read);
    const entries: CountEntry[] = numbersOfFacts(facts).map((number, i) => [
      i === 0 ? keys.facts : keys.tokens,
      number,
    ]);
    if (entries.length > 0) await this.stores.cache.setMany(entries);
    return facts;
  }

  /** One after the other: a request with hundreds of documents keeps one place in the queue, and one file in memory. */
  #inTurn(read: () => Promise<MediaFacts>): Promise<MediaFacts> {
    const reading = this.#lastRead.then(read);
    this.#lastRead = reading.catch(() => undefined);
    return reading;
  }

  async #read(facts: FileFacts, file: InspectedFile): Promise<MediaFacts> {
    if (facts.kind === 'text') {
      const textTokens = await this.#count(new TextRange(facts.text, 0, facts.text.byteLength));
      return { kind: 'text', textTokens };
    }
    if (!isPdf(facts)) return facts;
    const read = await this.stores.pool.readPdf(file, this.options);
    const pages = facts.kind === 'pdf' ? facts.pages : read.pages;
    if (pages === undefined) {
      const reason = 'unreadable' in read ? read.unreadable : 'damaged';
      return { kind: 'unreadable', as: 'pdf', reason };
    }
    // A text of fewer pages than there are is not all of it.
    const textTokens = 'text' in read && read.pages >= pages ? await this.#count(read.text) : undefined;
    return {
      kind: 'pdf',
      pages,
      mimeType: 'application/pdf',
      ...(textTokens !== undefined && { textTokens }),
    };
  }

  async #count(text: TextRange): Promise<number> {
    const [tokens] = await this.stores.pool.countAll(this.options.encoding, [[text]], this.options);
    return tokens as number;
  }
}

/** The same for equal files that are said to be the same. */
function nameOf({ data, kind }: File): string | TextRange {
  if (data instanceof TextRange) return data;
  return `${kind} ${data instanceof BlobText ? data.blob.sha256 : data}`;
}

function inRequest({ data, kind }: File): InspectedFile {
  return { data: data as TextRef, form: 'encoded', kind };
}

/** What is written in front of a payload. */
function frontOf(text: TextRef, payload: TextRef): Uint8Array {
  if (!(text instanceof TextRange && payload instanceof TextRange)) return new Uint8Array();
  return text.bytes().subarray(0, payload.start - text.start);
}

/** An encrypted one may open all the same. */
function isPdf(facts: FileFacts): boolean {
  if (facts.kind === 'unreadable') return facts.as === 'pdf' && facts.reason === 'encrypted';
  return facts.kind === 'pdf';
}
