import { type Countable, PreflightError } from '@preflight/core';
import {
  type Checkpoints,
  type EncodingName,
  isEncodingName,
  type Pool,
  unlessAborted,
  type WorkOptions,
} from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import { type CountCache, type CountEntry, type CountKey, isDigestKey } from '@preflight/storage';
import { distinctTexts, sumParts } from '../texts/distinct-texts.js';
import { identify } from '../texts/identify.js';
import { type KeyedText, readAll } from '../texts/keyed-text.js';
import { StoredCountable } from '../texts/stored-text.js';
import { batchesOf } from './cached-counts.js';
import { CountsUnderWay } from './counts-under-way.js';
import { isLongText, type LongText, type SegmentCounts } from './segment-counts.js';

/** What was found out about a list of texts, in order. */
export interface Counted {
  readonly counts: Int32Array;
  /** 1 for what had to be counted; else it was known, or another request counted it meanwhile. */
  readonly isMiss: Uint8Array;
}

/**
 * Counts, each text once: what is known comes from the cache, what another request counts just now is waited for, and
 * only the rest goes to the threads. Small texts are not waited for: counting them again is sooner done.
 */
export class KnownCounts {
  readonly #pool: Pool;
  readonly #cache: CountCache;
  readonly #segments: SegmentCounts;
  readonly #underWay = new CountsUnderWay();

  constructor({ pool, cache, segments }: { pool: Pool; cache: CountCache; segments: SegmentCounts }) {
    this.#pool = pool;
    this.#cache = cache;
    this.#segments = segments;
  }

  /** Reads only texts that are not known. Rejects with the pool's codes. */
  async count(encoding: EncodingName, texts: readonly KeyedText[], options: WorkOptions): Promise<Counted> {
    const wanted = new Map<CountKey, KeyedText>();
    const turn = new Turn();
    await turn.each(texts, (text) => wanted.set(text.key, text));
    const found = await this.#find(encoding, wanted, options);
    const counted = { counts: new Int32Array(texts.length), isMiss: new Uint8Array(texts.length) };
    await turn.each(texts, ({ key }, i) => {
      counted.counts[i] = found.counts.get(key) as number;
      if (found.missed.has(key)) counted.isMiss[i] = 1;
    });
    return counted;
  }

  async #find(
    encoding: EncodingName,
    wanted: ReadonlyMap<CountKey, KeyedText>,
    options: WorkOptions,
  ): Promise<Found> {
    const own: CountKey[] = [];
    const others: { key: CountKey; count: Promise<number | undefined> }[] = [];
    // Claimed before the cache is asked: afterwards another request might have counted and finished in between.
    const turn = new Turn();
    await turn.each(wanted.keys(), (key) => {
      const count = isDigestKey(key) ? this.#underWay.claim(key) : undefined;
      if (count === undefined) own.push(key);
      else others.push({ key, count });
    });
    let found: Found;
    try {
      found = await this.#findOwn(encoding, own, wanted, options);
    } finally {
      await turn.each(own, (key) => this.#underWay.release(key));
    }
    if (others.length === 0) return found;

    const counts = await unlessAborted(Promise.all(others.map(({ count }) => count)), options.signal);
    const left = new Map<CountKey, KeyedText>();
    await turn.each(others, ({ key }, i) => {
      const count = counts[i];
      if (count === undefined) left.set(key, wanted.get(key) as KeyedText);
      else found.counts.set(key, count);
    });
    if (left.size === 0) return found;
    // Whoever was waited for has failed or was cancelled, which is no affair of this request.
    const rest = await this.#find(encoding, left, options);
    for (const [key, count] of rest.counts) found.counts.set(key, count);
    for (const key of rest.missed) found.missed.add(key);
    return found;
  }

  /** Looks keys up and counts the texts that are not known, for everyone who waits for them meanwhile. */
  async #findOwn(
    encoding: EncodingName,
    keys: readonly CountKey[],
    wanted: ReadonlyMap<CountKey, KeyedText>,
    options: WorkOptions,
  ): Promise<Found> {
    const counts = new Map<CountKey, number>();
    const missing: CountKey[] = [];
    const turn = new Turn();
    for (const batch of batchesOf(keys)) {
      await turn.breathe();
      const known = await this.#cache.getMany(batch);
      for (const [i, key] of batch.entries()) {
        const count = known[i];
        if (count === undefined) missing.push(key);
        else this.#keep(counts, key, count);
      }
    }
    if (missing.length === 0) return { counts, missed: new Set() };

    const unread: KeyedText[] = [];
    await turn.each(missing, (key) => unread.push(wanted.get(key) as KeyedText));
    const texts = await readAll(unread);
    const referring: Unknown[] = [];
    const long: Unknown[] = [];
    const short: Unknown[] = [];
    await turn.each(missing, (key, i) => {
      const unknown: Unknown = { key, countable: texts[i] as Countable };
      if (isReferring(unread[i] as KeyedText)) referring.push(unknown);
      else if (isLong(unknown.countable)) long.push(unknown);
      else short.push(unknown);
    });
    const [missed] = await Promise.all([
      this.#countReferring(encoding, referring, counts, options),
      this.#countShort(encoding, short, counts, options),
      this.#countLong(encoding, long, counts, options),
    ]);
    for (const batch of batchesOf(missing)) {
      await turn.breathe();
      await this.#cache.setMany(batch.map((key): CountEntry => [key, counts.get(key) as number]));
    }
    const known = new Set(referring.map(({ key }) => key).filter((key) => !missed.has(key)));
    return { counts, missed: new Set(missing.filter((key) => !known.has(key))) };
  }

  async #countShort(
    encoding: EncodingName,
    texts: readonly Unknown[],
    counts: Map<CountKey, number>,
    options: WorkOptions,
  ): Promise<void> {
    const countables = texts.map(({ countable }) => countable);
    const onCounted = (position: number, tokens: number) =>
      this.#keep(counts, (texts[position] as Unknown).key, tokens);
    await this.#pool.countAll(encoding, countables, { ...options, onCounted });
  }

  /** A long text that is new as a whole may have grown or changed in one place: its known segments are not recounted. */
  async #countLong(
    encoding: EncodingName,
    texts: readonly Unknown[],
    counts: Map<CountKey, number>,
    options: WorkOptions,
  ): Promise<void> {
    if (texts.length === 0) return;
    const long = texts.map(({ countable }) => countable[0] as LongText);
    const checkpoints = await this.#segments.checkpoints(encoding, long, options);
    for (const [i, { key }] of texts.entries())
      this.#keep(counts, key, (checkpoints[i] as Checkpoints).at(-1)?.tokens as number);
  }

  /**
   * The files that a text refers to may be known all the same, from requests in which they stood under another name or
   * as base64. Answers the keys of those that had to be counted.
   */
  async #countReferring(
    encoding: EncodingName,
    texts: readonly Unknown[],
    counts: Map<CountKey, number>,
    options: WorkOptions,
  ): Promise<Set<CountKey>> {
    if (texts.length === 0) return new Set();
    const countables = texts.map(({ countable }) => countable);
    const { texts: inside, parts } = await distinctTexts(
      await identify(this.#pool, encoding, countables, options),
    );
    const { tokens, missing } = await sumParts(
      parts,
      texts.length,
      await this.count(encoding, inside, options),
    );
    for (const [i, { key }] of texts.entries()) this.#keep(counts, key, tokens[i] as number);
    return new Set(texts.map(({ key }) => key).filter((_, i) => missing.has(i)));
  }

  #keep(counts: Map<CountKey, number>, key: CountKey, count: number): void {
    counts.set(key, count);
    this.#underWay.found(key, count);
  }
}

/** A text that nobody has counted, read. */
interface Unknown {
  readonly key: CountKey;
  readonly countable: Countable;
}

/** Whether a countable is one long text. */
function isLong(countable: Countable): boolean {
  return countable.length === 1 && isLongText(countable[0]);
}

function isReferring(text: KeyedText): boolean {
  return text instanceof StoredCountable && text.blobs.length > 0;
}

interface Found {
  readonly counts: Map<CountKey, number>;
  /** Keys whose texts had to be counted. */
  readonly missed: Set<CountKey>;
}

/** A job may come from a version that knows other encodings. */
export function knownEncoding(name: string): EncodingName {
  if (isEncodingName(name)) return name;
  throw new PreflightError('unknown_encoding', { params: { encoding: name } });
}
