import { type Piece, TextRange, type WrittenText } from '@preflight/core';
import type { Checkpoints, EncodingName, Pool, SegmentDigest, WorkOptions } from '@preflight/pool';
import type { CountCache, CountEntry, CountKey } from '@preflight/storage';
import { keysOf } from '../texts/identify.js';

/** Texts from this size on are counted by segments; below it there is little that two texts could share. */
const LONG_TEXT_BYTES = 256 * 1024;

/** A long text in a buffer, perhaps to be written another way where it is counted. */
export type LongText = TextRange | (WrittenText & { readonly text: TextRange });

/** Whether a piece is worth counting by segments. */
export function isLongText(piece: Piece | undefined): piece is LongText {
  return piece !== undefined && typeof piece !== 'string' && rangeOf(piece) !== undefined;
}

function rangeOf(piece: TextRange | WrittenText): TextRange | undefined {
  const range = piece instanceof TextRange ? piece : piece.text;
  return range instanceof TextRange && range.byteLength >= LONG_TEXT_BYTES ? range : undefined;
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
    texts: readonly LongText[],
    options: WorkOptions,
  ): Promise<Checkpoints[]> {
    if (texts.length === 0) return [];
    const segmented = await this.#pool.segmentAll(encoding, texts, options);
    const stretches = segmented.map(
      (segments, i) =>
        segments && stretchesOf(rangeOf(texts[i] as LongText) as TextRange, segments, encoding),
    );
    const rewritten = texts.filter((_, i) => stretches[i] === undefined);
    const [counts, wholes] = await Promise.all([
      this.#countEach(
        encoding,
        stretches.flatMap((ofText) => ofText ?? []),
        options,
      ),
      this.#pool.countAll(
        encoding,
        rewritten.map((text) => [text]),
        options,
      ),
    ]);
    const nextWhole = wholes.values();
    return stretches.map((ofText, i) => {
      if (ofText === undefined)
        return [
          {
            endBytes: rangeOf(texts[i] as LongText)?.byteLength as number,
            tokens: nextWhole.next().value as number,
          },
        ];
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
  return segments.map(({ endBytes, hex }, i) => ({
    key: keys.ofDigest(hex),
    range: new TextRange(buffer, start + (segments[i - 1]?.endBytes ?? 0), start + endBytes),
    endBytes,
  }));
}
