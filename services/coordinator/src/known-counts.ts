import { type Countable, PreflightError, TextRange, writePiece } from '@preflight/core';
import { type Digest, ENCODINGS, type EncodingName, isEncodingName, type Pool, type WorkOptions } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import { type CountCache, type CountKey, CountKeys, TEXT_KEY_LIMIT_BYTES } from '@preflight/storage';

export interface Counted {
  /** Tokens of each countable, in order. */
  readonly tokens: Int32Array;
  /** How many countables were known, or equal to one counted by this or another request at the same time. */
  readonly hits: number;
  readonly misses: number;
}

/**
 * Counts, each text once: what is known comes from the cache, what another request counts just now is waited for, and
 * only the rest goes to the threads. Keys are digests made in threads, or small texts themselves.
 */
export class KnownCounts {
  readonly #pool: Pool;
  readonly #cache: CountCache;
  /** What is being counted right now, by key. */
  readonly #running = new Map<CountKey, Promise<number>>();

  constructor({ pool, cache }: { pool: Pool; cache: CountCache }) {
    this.#pool = pool;
    this.#cache = cache;
  }

  /**
   * Rejects with the pool's codes. An error about one countable (`invalid_base64`) has its position as `params.item`.
   */
  async count(encodingName: string, countables: readonly Countable[], options: WorkOptions): Promise<Counted> {
    const encoding = knownEncoding(encodingName);
    const items = await this.#identify(encoding, countables, options);
    const known = await this.#cache.getMany(items.map(({ key }) => key));
    const tokens = new Int32Array(countables.length);
    const missing = new Map<CountKey, Item>();
    const turn = new Turn();
    for (const [i, item] of items.entries()) {
      if (i % 1024 === 0) await turn.breathe();
      const count = known[i];
      if (count === undefined) missing.set(item.key, item);
      else tokens[i] = count;
    }
    if (missing.size === 0) return { tokens, hits: items.length, misses: 0 };

    const own = [...missing.values()].filter(({ key }) => !this.#running.has(key));
    const others = [...missing.values()].filter(({ key }) => this.#running.has(key));
    const found = await this.#countOwn(encoding, own, options);
    await this.#awaitOthers(encoding, others, found, options);
    for (const [i, { key }] of items.entries()) if (known[i] === undefined) tokens[i] = found.get(key) as number;
    return { tokens, hits: items.length - own.length, misses: own.length };
  }

  /** Counts what nobody else is counting, for everyone who asks meanwhile. */
  async #countOwn(encoding: EncodingName, items: readonly Item[], options: WorkOptions): Promise<Map<CountKey, number>> {
    if (items.length === 0) return new Map();
    const counting = this.#pool.countAll(
      encoding,
      items.map(({ countable }) => countable),
      options,
    );
    items.forEach(({ key }, i) => {
      const one = counting.then((counts) => counts[i] as number);
      // Whoever waits sees the failure; with nobody waiting it is this call's alone.
      one.catch(() => undefined);
      this.#running.set(key, one);
    });
    try {
      const counts = await counting;
      const entries = items.map(({ key }, i) => [key, counts[i] as number] as const);
      await this.#cache.setMany(entries);
      return new Map(entries);
    } finally {
      for (const { key } of items) this.#running.delete(key);
    }
  }

  /** A request that fails or is cancelled must not fail those that waited for its counts: they count themselves. */
  async #awaitOthers(
    encoding: EncodingName,
    items: readonly Item[],
    found: Map<CountKey, number>,
    options: WorkOptions,
  ): Promise<void> {
    const left: Item[] = [];
    for (const item of items) {
      const count = await this.#running.get(item.key)?.catch(() => undefined);
      if (count === undefined) left.push(item);
      else found.set(item.key, count);
    }
    if (left.length === 0) return;
    const { tokens } = await this.count(
      encoding,
      left.map(({ countable }) => countable),
      options,
    );
    left.forEach(({ key }, i) => {
      found.set(key, tokens[i] as number);
    });
  }

  async #identify(encoding: EncodingName, countables: readonly Countable[], options: WorkOptions): Promise<Item[]> {
    const keys = keysOf(encoding);
    const items = new Array<Item>(countables.length);
    const large: number[] = [];
    const turn = new Turn();
    for (const [i, countable] of countables.entries()) {
      if (i % 1024 === 0) await turn.breathe();
      const text = smallText(countable, i);
      if (text === undefined) large.push(i);
      else items[i] = { key: keys.ofText(text), countable: [text] };
    }
    const digests = await this.#digest(countables, large, options);
    large.forEach((i, n) => {
      const { sha256, isPlain } = digests[n] as Digest;
      const countable = countables[i] as Countable;
      items[i] = { key: keys.ofDigest(sha256), countable: isPlain ? asPlain(countable) : countable };
    });
    return items;
  }

  async #digest(countables: readonly Countable[], large: readonly number[], options: WorkOptions): Promise<Digest[]> {
    if (large.length === 0) return [];
    try {
      return await this.#pool.digestAll(
        large.map((i) => countables[i] as Countable),
        options,
      );
    } catch (error) {
      if (!(error instanceof PreflightError) || typeof error.params.item !== 'number') throw error;
      throw new PreflightError(error.code, { ...error, params: { item: large[error.params.item] as number } });
    }
  }
}

/** A job may come from a version that knows other encodings. */
export function knownEncoding(name: string): EncodingName {
  if (isEncodingName(name)) return name;
  throw new PreflightError('unknown_encoding', { params: { encoding: name } });
}

interface Item {
  readonly key: CountKey;
  readonly countable: Countable;
}

const keysByEncoding = new Map<EncodingName, CountKeys>();

function keysOf(encoding: EncodingName): CountKeys {
  let keys = keysByEncoding.get(encoding);
  if (keys === undefined) {
    keys = new CountKeys({ encoding, vocabularyVersion: ENCODINGS[encoding].vocabularyVersion });
    keysByEncoding.set(encoding, keys);
  }
  return keys;
}

/** The text of a small countable, as it is counted; undefined for what is large or stands in a buffer. */
function smallText(countable: Countable, item: number): string | undefined {
  let text = '';
  for (const piece of countable) {
    if (piece instanceof TextRange) return undefined;
    if (typeof piece === 'string') text += piece;
    else if (typeof piece.text === 'string') text += written(piece.text, piece.as, item);
    else return undefined;
    if (text.length >= TEXT_KEY_LIMIT_BYTES) return undefined;
  }
  return text;
}

function written(text: string, as: 'json' | 'base64', item: number): string {
  if (text.length >= TEXT_KEY_LIMIT_BYTES) return text;
  const bytes = writePiece({ as }, Buffer.from(text));
  if (bytes === undefined) throw new PreflightError('invalid_base64', { params: { item } });
  return Buffer.from(bytes).toString();
}

/** The same countable without instructions to rewrite: a thread has found that there is nothing to rewrite. */
function asPlain(countable: Countable): Countable {
  return countable.map((piece) => (typeof piece === 'string' || piece instanceof TextRange ? piece : piece.text));
}
