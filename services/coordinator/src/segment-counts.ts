import { type Piece, TextRange } from '@preflight/core';
import type { Checkpoints, EncodingName, Pool, SegmentDigest, WorkOptions } from '@preflight/pool';
import type { CountCache, CountEntry, CountKey } from '@preflight/storage';
import { keysOf } from './identify.js';

/** Texts from this size on are counted by segments; below it there is little that two texts could share. */
const LONG_TEXT_BYTES = 256 * 1024;

export function isLongText(piece: Piece | undefined): piece is TextRange {
  return piece instanceof TextRange && piece.byteLength >= LONG_TEXT_BYTES;
}

/**
 * Counts long texts as sums over segments between safe splits. Segments are known by their own digests, so that of a
 * text that has grown or changed in one place only that place is counted again.
 */
export class SegmentCounts {
  readonly #pool: Pool;
  readonly #cache: CountCache;

  constructor({ pool, cache }: { pool: Pool; cache: CountCache }) {
    this.#pool = pool;
    this.#cache = cache;
  }

  /** The counts of each text up to the ends of its segments; the last one is the whole. Rejects with the pool's codes. */
  async checkpoints(
    encoding: EncodingName,
    texts: readonly TextRange[],
    options: WorkOptions,
  ): Promise<Checkpoints[]> {
    if (texts.length === 0) return [];
    const segmented = await this.#pool.segmentAll(encoding, texts, options);
    const stretches = segmented.map((segments, i) => stretchesOf(texts[i] as TextRange, segments, encoding));
    const counts = await this.#countEach(encoding, stretches.flat(), options);
    return stretches.map((ofText) => {
      let tokens = 0;
      return ofText.map(({ key, endBytes }) => {
        tokens += counts.get(key) as number;
        return { endBytes, tokens };
      });
    });
  }

  async #countEach(
    encoding: EncodingName,
    stretches: readonly Stretch[],
    options: WorkOptions,
  ): Promise<Map<CountKey, number>> {
    const known = await this.#cache.getMany(stretches.map(({ key }) => key));
    const counts = new Map<CountKey, number>();
    const unknown = new Map<CountKey, TextRange>();
    for (const [i, { key, range }] of stretches.entries()) {
      const count = known[i];
      if (count === undefined) unknown.set(key, range);
      else counts.set(key, count);
    }
    const countables = Array.from(unknown.values(), (range) => [range]);
    const tokens = await this.#pool.countAll(encoding, countables, options);
    const entries = Array.from(unknown.keys(), (key, i): CountEntry => [key, tokens[i] as number]);
    await this.#cache.setMany(entries);
    for (const [key, count] of entries) counts.set(key, count);
    return counts;
  }
}

/** One segment of a text, and how it is known. */
interface Stretch {
  readonly key: CountKey;
  readonly range: TextRange;
  /** Where it ends in its text. */
  readonly endBytes: number;
}

function stretchesOf(
  { buffer, start }: TextRange,
  segments: readonly SegmentDigest[],
  encoding: EncodingName,
): Stretch[] {
  const keys = keysOf(encoding);
  return segments.map(({ endBytes, sha256 }, i) => ({
    key: keys.ofDigest(sha256),
    range: new TextRange(buffer, start + (segments[i - 1]?.endBytes ?? 0), start + endBytes),
    endBytes,
  }));
}
