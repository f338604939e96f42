import { TokenizerFileError } from './tokenizer-file-error.js';

/** A vocabulary in the order in which its tokens form. Texts are strings of one character a byte. */
export interface OrderedVocabulary {
  /** By rank: the 256 bytes, then every token that merges lead to. */
  readonly tokens: readonly string[];
  readonly rankOf: ReadonlyMap<string, number>;
  /** The ranks of the two tokens that merge into each; absent for bytes. */
  readonly halves: readonly (readonly [left: number, right: number] | undefined)[];
  /** Tokens that no merge leads to. */
  readonly unreachable: readonly string[];
}

/** A pair of neighbours that merges, given by ids. */
export type Merge = readonly [left: number, right: number, merged: number];

/** How a token forms of its bytes. */
interface Formation {
  readonly id: number;
  readonly left: number;
  readonly right: number;
  /** Place of its last merge in the list. */
  readonly rank: number;
  /** The latest place of all its merges: no sooner does it form. */
  readonly formsAt: number;
}

/** More than the ids of any vocabulary; two ids make a number that is exact. */
export const ID_LIMIT = 2 ** 26;

/**
 * Orders a vocabulary so that rank alone tells which pair merges next, as the kernel has it: every token behind its two
 * halves, which are always the same. A merge list may say more (other pairs of the same bytes, which never meet) and it
 * may say a token before one of its halves; such a token forms as soon as the later half does, and is put there. `bytes`
 * are the tokens by id.
 *
 * Throws TokenizerFileError where that would not be the same: a token that competes with its own half for a neighbour.
 */
export function orderByMerges(
  bytes: ReadonlyMap<number, string>,
  merges: readonly Merge[],
): OrderedVocabulary {
  const ranks = new Map<number, number>();
  for (const [rank, [left, right]] of merges.entries()) {
    const pair = left * ID_LIMIT + right;
    if (!ranks.has(pair)) ranks.set(pair, rank);
  }
  const idOf = new Map([...bytes].map(([id, text]) => [text, id]));
  const formations: Formation[] = [];
  const unreachable: string[] = [];
  for (const [id, text] of bytes) {
    if (text.length === 1) continue;
    const formation = formationOf(text, { id, idOf, ranks, merges });
    if (formation === undefined) unreachable.push(text);
    else formations.push(formation);
  }
  refuseCompeting(formations);
  formations.sort(
    (x, y) =>
      x.formsAt - y.formsAt ||
      (bytes.get(x.id) as string).length - (bytes.get(y.id) as string).length ||
      x.rank - y.rank,
  );

  const tokens = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  const halves: (readonly [number, number] | undefined)[] = [];
  const rankOf = new Map(tokens.map((token, rank) => [token, rank]));
  const rankOfId = (id: number) => rankOf.get(bytes.get(id) as string) as number;
  for (const { id, left, right } of formations) {
    halves[tokens.length] = [rankOfId(left), rankOfId(right)];
    rankOf.set(bytes.get(id) as string, tokens.length);
    tokens.push(bytes.get(id) as string);
  }
  return { tokens, rankOf, halves, unreachable };
}

interface Rules {
  readonly id: number;
  readonly idOf: ReadonlyMap<string, number>;
  readonly ranks: ReadonlyMap<number, number>;
  readonly merges: readonly Merge[];
}

/** Merges the bytes of a token by themselves; undefined if they do not end as that token. */
function formationOf(text: string, { id, idOf, ranks, merges }: Rules): Formation | undefined {
  const parts: number[] = [];
  for (const byte of text) parts.push(idOf.get(byte) as number);
  const rankAt = (i: number) =>
    ranks.get((parts[i] as number) * ID_LIMIT + (parts[i + 1] as number)) ?? Number.POSITIVE_INFINITY;
  const pairRanks: number[] = [];
  for (let i = 0; i + 1 < parts.length; i++) pairRanks.push(rankAt(i));
  let formsAt = -1;
  let last = -1;
  while (parts.length > 1) {
    let at = 0;
    for (let i = 1; i < pairRanks.length; i++)
      if ((pairRanks[i] as number) < (pairRanks[at] as number)) at = i;
    last = pairRanks[at] as number;
    if (last === Number.POSITIVE_INFINITY) return undefined;
    formsAt = Math.max(formsAt, last);
    const merged = (merges[last] as Merge)[2];
    parts.splice(at, 2, merged);
    pairRanks.splice(at, 1);
    if (at > 0) pairRanks[at - 1] = rankAt(at - 1);
    if (at < pairRanks.length) pairRanks[at] = rankAt(at);
  }
  const [left, right] = merges[last] as Merge;
  return parts[0] === id ? { id, left, right, rank: last, formsAt } : undefined;
}

/**
 * A token that is listed before its later half p = l + r forms at once where p has formed, and not when all other p have.
 * That makes a difference only if the other half is l behind p, which might have become another p.
 */
function refuseCompeting(formations: readonly Formation[]): void {
  const byId = new Map(formations.map((formation) => [formation.id, formation]));
  for (const { left, right, rank, formsAt } of formations) {
    const half = byId.get(left);
    if (rank < formsAt && half?.formsAt === formsAt && half.left === right)
      throw new TokenizerFileError({
        pointer: `/model/merges/${rank}`,
        detail: 'makes a token before its half, which it competes with: not supported',
      });
  }
}
