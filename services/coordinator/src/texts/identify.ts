import {
  BlobPiece,
  type Countable,
  isHere,
  PreflightError,
  type Referring,
  TextRange,
  writePiece,
} from '@preflight/core';
import { type Digest, type EncodingName, encodingFacts, type Pool, type WorkOptions } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import { type CountKey, CountKeys, TEXT_KEY_LIMIT_BYTES, type Writing } from '@preflight/storage';
import { type AttachmentParts, attachmentParts } from './attachment-parts.js';

export interface Identified {
  /** Position of the countable whose text this is, or of whose text it is a part. */
  readonly owner: number;
  readonly key: CountKey;
  /** What the key is made of, in hex; undefined for what is keyed by itself. */
  readonly hex?: string;
  /** What the digest is of, if not of the text as it is counted. */
  readonly writing?: Writing | undefined;
  /** The text whose payload the digest is of, of the interior of an attachment. */
  readonly attached?: TextRange | undefined;
  /** A small part around the payload of an attachment, which does not make the attachment unknown. */
  readonly isEdge: boolean;
  /** The same text, without instructions to rewrite it where there is nothing to rewrite. */
  readonly countable: Referring;
}

/**
 * The keys of countables: a digest made in a thread, or a small text itself. A large attachment has three (see
 * `attachmentParts`), whose counts add up; one that lies elsewhere has one, in which its digest stands for it. Rejects with the pool's codes; `invalid_base64` has the position of the
 * countable as `params.item`.
 */
export async function identify(
  pool: Pool,
  encoding: EncodingName,
  countables: readonly Referring[],
  options: WorkOptions,
): Promise<Identified[]> {
  const keys = keysOf(encoding);
  const identified: Identified[] = [];
  const large: Large[] = [];
  const add = (owner: number, countable: Countable, isEdge = false) => {
    const text = smallText(countable, owner);
    if (text === undefined) large.push({ owner, countable, isEdge, digested: countable });
    else identified.push({ owner, key: keys.ofText(text), isEdge, countable: [text] });
  };
  const turn = new Turn();
  for (const [owner, countable] of countables.entries()) {
    // Both ends of each large attachment are looked at, some 10 µs.
    if (owner % 64 === 0) await turn.breathe();
    if (!isHere(countable)) {
      large.push({ owner, countable, isEdge: false, digested: withDigests(countable), writing: 'reference' });
      continue;
    }
    const parts = attachmentParts(countable, encoding);
    if (parts === undefined) add(owner, countable);
    else {
      add(owner, parts.head, true);
      add(owner, parts.tail, true);
      large.push({ owner, countable: [parts.interior], isEdge: false, ...interiorOf(parts, countable) });
    }
  }
  const digests = await digestOf(pool, large, options);
  const rewritten: Large[] = [];
  for (const [i, item] of large.entries()) {
    if (i % 512 === 0) await turn.breathe();
    const { owner, isEdge, whole } = item;
    const { hex, isPlain } = digests[i] as Digest;
    if (whole !== undefined && !isPlain) rewritten.push({ owner, isEdge, countable: whole, digested: whole });
    else {
      const key = keysOf(encoding, item.writing).ofDigest(hex);
      const countable = isPlain && isHere(item.countable) ? asPlain(item.countable, item) : item.countable;
      identified.push({ owner, key, hex, writing: item.writing, attached: item.attached, isEdge, countable });
    }
  }
  if (rewritten.length === 0) return identified;
  return [
    ...withoutOwners(identified, rewritten),
    ...(await identifyWhole(pool, encoding, rewritten, options)),
  ];
}

/** What a thread has to digest: a countable, or the interior of one. */
interface Large {
  readonly owner: number;
  readonly countable: Referring;
  readonly isEdge: boolean;
  /** What is digested, which need not be how it is counted. */
  readonly digested: Countable;
  /** What the digest is of, if not of the text as it is counted. */
  readonly writing?: Writing;
  readonly attached?: TextRange;
  /** What is known as a whole only if this has to be rewritten. */
  readonly whole?: Countable;
}

/**
 * The interior of an attachment is known by its payload, which is digested as it is, without a look at whether its characters
 * need escaping: that is for those who count it, so that a known attachment is read once. Base64 is looked at, because its
 * parts are parts of what is counted only if there is nothing to rewrite; then it needs no escaping either and shares its key.
 */
function interiorOf(
  { interior, text: attached, payload }: AttachmentParts,
  whole: Countable,
): Pick<Large, 'digested' | 'writing' | 'attached' | 'whole'> {
  const { as } = interior;
  return as === 'base64'
    ? { digested: [{ text: payload, as }], writing: 'interior', attached, whole }
    : { digested: [payload], writing: 'interior', attached };
}

/**
 * What names a countable that refers to files: itself, with their digests in place of what is made of them. No text that
 * is counted has a zero byte in it here, since all of it is written as JSON or base64.
 */
function withDigests(countable: Referring): Countable {
  return countable.map((piece) => {
    if (!(piece instanceof BlobPiece)) return piece;
    const { blob, as } = piece;
    return `\0${as} ${blob.sha256} ${blob.byteLength}\0`;
  });
}

/**
 * Base64 with white space or another alphabet in it: the parts of what is given are not parts of what is counted, so
 * it is known as a whole only. Rare, and costs a second look.
 */
async function identifyWhole(
  pool: Pool,
  encoding: EncodingName,
  items: readonly Large[],
  options: WorkOptions,
): Promise<Identified[]> {
  const digests = await digestOf(pool, items, options);
  return items.map(({ owner, countable }, i) => {
    const { hex } = digests[i] as Digest;
    return { owner, key: keysOf(encoding).ofDigest(hex), hex, isEdge: false, countable };
  });
}

function withoutOwners(identified: readonly Identified[], items: readonly Large[]): Identified[] {
  const owners = new Set(items.map(({ owner }) => owner));
  return identified.filter(({ owner }) => !owners.has(owner));
}

const keysByScope = new Map<string, CountKeys>();

/** Makes the keys of an encoding, for texts that are counted as they are or as they are written. */
export function keysOf(encoding: EncodingName, writing?: Writing): CountKeys {
  const scope = `${encoding} ${writing}`;
  let keys = keysByScope.get(scope);
  if (keys === undefined) {
    const { vocabularyVersion } = encodingFacts(encoding);
    keys = new CountKeys({ encoding, vocabularyVersion, ...(writing && { writing }) });
    keysByScope.set(scope, keys);
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

/** Digests, and errors told by the owners of what was digested. */
async function digestOf(pool: Pool, items: readonly Large[], options: WorkOptions): Promise<Digest[]> {
  if (items.length === 0) return [];
  try {
    return await pool.digestAll(
      items.map(({ digested }) => digested),
      options,
    );
  } catch (error) {
    if (!(error instanceof PreflightError) || typeof error.params.item !== 'number') throw error;
    const item = items[error.params.item]?.owner as number;
    throw new PreflightError(error.code, { ...error, params: { ...error.params, item } });
  }
}

/** What was digested needs no rewriting, so it is counted as it is; of an interior only base64 was looked at. */
function asPlain(countable: Countable, { digested }: Large): Countable {
  if (digested.length === 1 && digested[0] instanceof TextRange) return countable;
  return countable.map((piece) =>
    typeof piece === 'string' || piece instanceof TextRange ? piece : piece.text,
  );
}
