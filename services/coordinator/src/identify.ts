import { type Countable, PreflightError, TextRange, writePiece } from '@preflight/core';
import { type Digest, ENCODINGS, type EncodingName, type Pool, type WorkOptions } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import { type CountKey, CountKeys, TEXT_KEY_LIMIT_BYTES } from '@preflight/storage';

export interface Identified {
  readonly key: CountKey;
  /** The same text, without instructions to rewrite it where there is nothing to rewrite. */
  readonly countable: Countable;
}

/**
 * The key of each countable, in order: a digest made in a thread, or a small text itself. Rejects with the pool's
 * codes; `invalid_base64` has the position of the countable as `params.item`.
 */
export async function identify(
  pool: Pool,
  encoding: EncodingName,
  countables: readonly Countable[],
  options: WorkOptions,
): Promise<Identified[]> {
  const keys = keysOf(encoding);
  const identified = new Array<Identified>(countables.length);
  const large: number[] = [];
  const turn = new Turn();
  for (const [i, countable] of countables.entries()) {
    if (i % 512 === 0) await turn.breathe();
    const text = smallText(countable, i);
    if (text === undefined) large.push(i);
    else identified[i] = { key: keys.ofText(text), countable: [text] };
  }
  const digests = await digestOf(pool, countables, large, options);
  for (const [n, i] of large.entries()) {
    if (n % 512 === 0) await turn.breathe();
    const { sha256, isPlain } = digests[n] as Digest;
    const countable = countables[i] as Countable;
    identified[i] = { key: keys.ofDigest(sha256), countable: isPlain ? asPlain(countable) : countable };
  }
  return identified;
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
function smallText(countable: Countable, position: number): string | undefined {
  let text = '';
  for (const piece of countable) {
    if (piece instanceof TextRange) return undefined;
    const given = typeof piece === 'string' ? piece : piece.text;
    if (given instanceof TextRange || given.length >= TEXT_KEY_LIMIT_BYTES) return undefined;
    text += typeof piece === 'string' ? given : written(given, piece.as, position);
    if (text.length >= TEXT_KEY_LIMIT_BYTES) return undefined;
  }
  return Buffer.byteLength(text) < TEXT_KEY_LIMIT_BYTES ? text : undefined;
}

function written(text: string, as: 'json' | 'base64', position: number): string {
  const bytes = writePiece({ as }, Buffer.from(text));
  if (bytes === undefined) throw new PreflightError('invalid_base64', { params: { item: position } });
  return Buffer.from(bytes).toString();
}

/** Digests of some countables, and errors told by their positions among all. */
async function digestOf(
  pool: Pool,
  countables: readonly Countable[],
  positions: readonly number[],
  options: WorkOptions,
): Promise<Digest[]> {
  if (positions.length === 0) return [];
  try {
    return await pool.digestAll(
      positions.map((position) => countables[position] as Countable),
      options,
    );
  } catch (error) {
    if (!(error instanceof PreflightError) || typeof error.params.item !== 'number') throw error;
    const item = positions[error.params.item] as number;
    throw new PreflightError(error.code, { ...error, params: { ...error.params, item } });
  }
}

function asPlain(countable: Countable): Countable {
  return countable.map((piece) =>
    typeof piece === 'string' || piece instanceof TextRange ? piece : piece.text,
  );
}
