import { type Countable, PreflightError, type TextRange } from '@preflight/core';
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
import { CountsUnderWay } from './counts-under-way.js';
import { identify } from './identify.js';
import { isLongText, type SegmentCounts } from './segment-counts.js';

export interface Counted {
  /** Tokens of each countable, in order. */
  readonly tokens: Int32Array;
  /** Countables that were known (an attachment by its payload), or equal to one counted by this or another request meanwhile. */
  readonly hits: number;
  readonly misses: number;
}

/** Keys that go to the cache in one call: a few milliseconds. */
const CACHE_BATCH_KEYS = 2048;

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

  /**
   * Rejects with the pool's codes. An error about one countable (`invalid_base64`) has its position as `params.item`.
   */
  async count(
    encodingName: string,
    countables: readonly Countable[],
    options: WorkOptions,
  ): Promise<Counted> {
    const encoding = knownEncoding(encodingName);
    const identified = await identify(this.#pool, encoding, countables, options);
    const wanted = new Map<CountKey, Countable>();
    const turn = new Turn();
    for (const [i, { key, countable }] of identified.entries()) {
      if (i % 1024 === 0) await turn.breathe();
      wanted.set(key, countable);
    }
    const { counts, missed } = await this.#find(encoding, wanted, options);
    const tokens = new Int32Array(countables.length);
    const missing = new Set<number>();
    for (const [i, { owner, key, isEdge }] of identified.entries()) {
      if (i % 1024 === 0) await turn.breathe();
      tokens[owner] = (tokens[owner] as number) + (counts.get(key) as number);
      // Charged to the first who needs it; equal texts after it are hits.
      if (missed.delete(key) && !isEdge) missing.add(owner);
    }
    return { tokens, hits: countables.length - missing.size, misses: missing.size };
  }

  async #find(
    encoding: EncodingName,
    wanted: ReadonlyMap<CountKey, Countable>,
    options: WorkOptions,
  ): Promise<Found> {
    const own: CountKey[] = [];
    const others: { key: CountKey; count: Promise<number | undefined> }[] = [];
    // Claimed before the cache is asked: afterwards another request might have counted and finished in between.
    for (const key of wanted.keys()) {
      const count = isDigestKey(key) ? this.#underWay.claim(key) : undefined;
      if (count === undefined) own.push(key);
      else others.push({ key, count });
    }
    let found: Found;
    try {
      found = await this.#findOwn(encoding, own, wanted, options);
    } finally {
      for (const key of own) this.#underWay.release(key);
    }
    if (others.length === 0) return found;

    const counts = await unlessAborted(Promise.all(others.map(({ count }) => count)), options.signal);
    const left = new Map<CountKey, Countable>();
    for (const [i, { key }] of others.entries()) {
      const count = counts[i];
      if (count === undefined) left.set(key, wanted.get(key) as Countable);
      else found.counts.set(key, count);
    }
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
    wanted: ReadonlyMap<CountKey, Countable>,
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

    const [long, short] = partition(missing, (key) => isLong(wanted.get(key) as Countable));
    await Promise.all([
      this.#countShort(encoding, short, wanted, counts, options),
      this.#countLong(encoding, long, wanted, counts, options),
    ]);
    for (const batch of batchesOf(missing)) {
      await turn.breathe();
      await this.#cache.setMany(batch.map((key): CountEntry => [key, counts.get(key) as number]));
    }
    return { counts, missed: new Set(missing) };
  }

  async #countShort(
    encoding: EncodingName,
    keys: readonly CountKey[],
    wanted: ReadonlyMap<CountKey, Countable>,
    counts: Map<CountKey, number>,
    options: WorkOptions,
  ): Promise<void> {
    const countables = keys.map((key) => wanted.get(key) as Countable);
    const onCounted = (position: number, tokens: number) =>
      this.#keep(counts, keys[position] as CountKey, tokens);
    await this.#pool.countAll(encoding, countables, { ...options, onCounted });
  }

  /** A long text that is new as a whole may have grown or changed in one place: its known segments are not recounted. */
  async #countLong(
    encoding: EncodingName,
    keys: readonly CountKey[],
    wanted: ReadonlyMap<CountKey, Countable>,
    counts: Map<CountKey, number>,
    options: WorkOptions,
  ): Promise<void> {
    if (keys.length === 0) return;
    const ranges = keys.map((key) => (wanted.get(key) as Countable)[0] as TextRange);
    const checkpoints = await this.#segments.checkpoints(encoding, ranges, options);
    for (const [i, key] of keys.entries())
      this.#keep(counts, key, (checkpoints[i] as Checkpoints).at(-1)?.tokens as number);
  }

  #keep(counts: Map<CountKey, number>, key: CountKey, count: number): void {
    counts.set(key, count);
    this.#underWay.found(key, count);
  }
}

/** Whether a countable is one long text, known to be written as it is. */
function isLong(countable: Countable): boolean {
  return countable.length === 1 && isLongText(countable[0]);
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
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

function* batchesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let i = 0; i < items.length; i += CACHE_BATCH_KEYS) yield items.slice(i, i + CACHE_BATCH_KEYS);
}
