import type { Countable } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { CountKey, Writing } from '@preflight/storage';

/** A text to be counted, and how its count is known. It may lie elsewhere until somebody has to read it. */
export interface KeyedText {
  readonly key: CountKey;
  /** The text, fetched if it is not here. May be called again. */
  read(): Countable | Promise<Countable>;
}

/** Digest of a text in hex: as it is counted, unless it says what else it is of. */
export interface TextDigest {
  readonly hex: string;
  readonly writing: Writing | undefined;
}

/** A text that is here. */
export class HeldText implements KeyedText {
  constructor(
    readonly key: CountKey,
    readonly countable: Countable,
    /** What the key is made of; undefined for a small text, which is keyed by itself. */
    readonly digest?: TextDigest,
  ) {}

  get pieces(): Countable {
    return this.countable;
  }

  read(): Countable {
    return this.countable;
  }
}

/** So many are fetched at a time. */
const READ_AT_ONCE = 32;

/** All texts, in order. */
export async function readAll(texts: readonly KeyedText[]): Promise<Countable[]> {
  const countables: Countable[] = [];
  const turn = new Turn();
  for (let i = 0; i < texts.length; i += READ_AT_ONCE) {
    const batch = texts.slice(i, i + READ_AT_ONCE);
    await turn.breathe();
    countables.push(...(await Promise.all(batch.map((text) => text.read()))));
  }
  return countables;
}
