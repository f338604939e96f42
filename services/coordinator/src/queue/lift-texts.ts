import { TextRange } from '@preflight/core';
import type { Pool, WorkOptions } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import type { Digest } from '@preflight/storage';
import type { RequestText } from '../texts/distinct-texts.js';
import { StoredText } from '../texts/stored-text.js';

/** Below this it costs less to carry a text along each time than to ask whether it is stored. */
const MIN_STORED_BYTES = 16 * 1024;

/** The long texts of a request. */
export interface LiftedTexts {
  /** By the range that was lifted. */
  readonly references: ReadonlyMap<TextRange, StoredText>;
  readonly ranges: ReadonlyMap<Digest, TextRange>;
}

/**
 * What is to be stored apart from its request, by the digest of its bytes. Texts were digested when they were
 * identified; parts of attachments, and what is counted another way than it is written, are digested in threads.
 */
export async function liftTexts(
  pool: Pool,
  texts: readonly RequestText[],
  options: WorkOptions,
): Promise<LiftedTexts> {
  const references = new Map<TextRange, StoredText>();
  const ranges = new Map<Digest, TextRange>();
  const lift = (range: TextRange, digest: Digest) => {
    references.set(range, new StoredText(digest, range.byteLength));
    ranges.set(digest, range);
  };
  const others: TextRange[] = [];
  await new Turn().each(texts, ({ pieces, digest }) => {
    for (const piece of pieces) {
      const range = rangeOf(piece);
      if (range === undefined || range.byteLength < MIN_STORED_BYTES) continue;
      const isWhole = pieces.length === 1 && piece === range && digest?.writing === undefined;
      if (isWhole && digest) lift(range, digest.hex);
      else others.push(range);
    }
  });
  if (others.length > 0) {
    const digests = await pool.digestAll(
      others.map((range) => [range]),
      options,
    );
    for (const [i, { hex }] of digests.entries()) lift(others[i] as TextRange, hex);
  }
  return { references, ranges };
}

/** The bytes of a piece, if it has any that are here. */
function rangeOf(piece: RequestText['pieces'][number]): TextRange | undefined {
  if (piece instanceof TextRange) return piece;
  if (typeof piece !== 'object' || !('text' in piece)) return undefined;
  return piece.text instanceof TextRange ? piece.text : undefined;
}
