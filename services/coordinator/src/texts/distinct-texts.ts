import { isHere } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { CountKey } from '@preflight/storage';
import type { Identified } from './identify.js';
import { HeldText, type KeyedText, type TextDigest } from './keyed-text.js';
import { StoredCountable, type StoredTexts } from './stored-text.js';

/** The texts of countables, each once, and which countable is made of which. */
export interface DistinctTexts<Text extends KeyedText = KeyedText> {
  readonly texts: readonly Text[];
  readonly parts: Parts;
}

/** One entry a part of a countable; most countables have one, large attachments three. Numbers only, so that it travels. */
export interface Parts {
  /** Position in the list of texts. */
  readonly texts: Int32Array;
  /** Position of the countable. */
  readonly owners: Int32Array;
  /** 1 for a small part around a payload, which does not make its countable unknown. */
  readonly isEdge: Uint8Array;
}

/** Tokens of each countable, in order. */
export interface Summed {
  readonly tokens: Int32Array;
  /** Countables that were known, or equal to one counted at the same time. */
  readonly hits: number;
  readonly misses: number;
  /** Positions of those that are misses. */
  readonly missing: ReadonlySet<number>;
}

/** A text of a request, which may be that of files that lie elsewhere. */
export type RequestText = HeldText | StoredCountable;

/** `stored` is where those look that refer to files, if there can be any. */
export async function distinctTexts(
  identified: readonly Identified[],
  stored?: StoredTexts,
): Promise<{ texts: RequestText[]; parts: Parts }> {
  const texts: RequestText[] = [];
  const positions = new Map<CountKey, number>();
  const parts: Parts = {
    texts: new Int32Array(identified.length),
    owners: new Int32Array(identified.length),
    isEdge: new Uint8Array(identified.length),
  };
  await new Turn().each(identified, (item, i) => {
    const { owner, key, isEdge } = item;
    let position = positions.get(key);
    if (position === undefined) {
      position = texts.push(textOf(item, stored)) - 1;
      positions.set(key, position);
    }
    parts.texts[i] = position;
    parts.owners[i] = owner;
    parts.isEdge[i] = isEdge ? 1 : 0;
  });
  return { texts, parts };
}

function textOf({ key, hex, writing, countable }: Identified, stored: StoredTexts | undefined): RequestText {
  const digest: TextDigest | undefined = hex === undefined ? undefined : { hex, writing };
  if (isHere(countable)) return new HeldText(key, countable, digest);
  return new StoredCountable(key, countable, stored as StoredTexts, digest as TextDigest);
}

/** Adds up the counts of parts. A text that had to be counted is charged to the first who needs it. */
export async function sumParts(
  parts: Parts,
  countableCount: number,
  { counts, isMiss }: { readonly counts: Int32Array; readonly isMiss: Uint8Array },
): Promise<Summed> {
  const tokens = new Int32Array(countableCount);
  const toCharge = isMiss.slice();
  const missing = new Set<number>();
  await new Turn().each(parts.texts, (text, i) => {
    const owner = parts.owners[i] as number;
    tokens[owner] = (tokens[owner] as number) + (counts[text] as number);
    if (toCharge[text] === 1 && parts.isEdge[i] === 0) missing.add(owner);
    toCharge[text] = 0;
  });
  return { tokens, hits: countableCount - missing.size, misses: missing.size, missing };
}
