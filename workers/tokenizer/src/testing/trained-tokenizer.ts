import type { NamedFamily } from '../encodings.js';
import { PIECE_END } from '../pieces/piece-end.js';
import { FAMILY_OF_PATTERN } from '../vocabularies/patterns.js';
import { TextGenerator } from './generated-texts.js';

/** The part of a `tokenizer.json` that tests change. */
export interface TrainedTokenizer {
  added_tokens: object[];
  normalizer: object | null;
  pre_tokenizer: { type: string; pretokenizers: Record<string, unknown>[] };
  model: {
    type: string;
    ignore_merges: boolean;
    vocab: Record<string, number>;
    merges: (string | string[])[];
    [option: string]: unknown;
  };
}

/** Of these no part is a token but their bytes. */
const UNREACHABLE = [
  'qzqzq',
  'unreachable',
  '\u0b1b\u0b2c',
  ' a piece of more than thirty bytes'.replaceAll(' ', ''),
];

const MERGES = 600;

/**
 * A small vocabulary in the shape of those that are published, trained on generated texts: the 256 bytes, groups of
 * digits, merges, and, as in Llama 3, every pair of tokens that spells a token among the merges, tokens that no
 * merge leads to, and tokens that are listed before one of their halves. Always the same.
 */
export function trainedTokenizer(family: NamedFamily): TrainedTokenizer {
  const tokens = trained(family);
  if (family === 'llama3') {
    listEarlier(tokens);
    tokens.push(...UNREACHABLE.map((text) => Buffer.from(text).toString('latin1')));
  }
  const vocab: Record<string, number> = {};
  for (const [id, token] of tokens.entries()) vocab[written(token)] = id;
  const idOf = new Map(tokens.map((token, id) => [token, id]));
  const merges: (string | string[])[] = [];
  for (const token of tokens) {
    const pairs: [number, number][] = [];
    for (let at = 1; at < token.length; at++) {
      const left = idOf.get(token.slice(0, at));
      const right = idOf.get(token.slice(at));
      if (left !== undefined && right !== undefined) pairs.push([left, right]);
    }
    pairs.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
    for (const pair of pairs) {
      const [left, right] = pair.map((id) => written(tokens[id] as string)) as [string, string];
      merges.push(family === 'qwen2' ? [left, right] : `${left} ${right}`);
    }
  }
  const [pattern] = [...FAMILY_OF_PATTERN].find(([, name]) => name === family) as [string, string];
  return {
    added_tokens: [{ id: tokens.length, content: '<|end|>', special: true }],
    normalizer: family === 'qwen2' ? { type: 'NFC' } : null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
        { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
      ],
    },
    model: {
      type: 'BPE',
      dropout: null,
      byte_fallback: false,
      ignore_merges: family !== 'qwen2',
      vocab,
      merges,
    },
  };
}

/**
 * The same grown to the size of a published one: tokens that merges lead to are made of bytes that no text has, so that counts stay
 * as they are; the others are words.
 */
export function ofSize(
  { model, ...rest }: TrainedTokenizer,
  { tokens, mergedTokens }: { readonly tokens: number; readonly mergedTokens: number },
): TrainedTokenizer {
  const vocab = { ...model.vocab };
  const merges = [...model.merges];
  let nextId = Object.keys(vocab).length;
  const merged = new Set(merges.map((merge) => [merge].flat().join('').replace(' ', '')));
  let missingMerged = mergedTokens - 256 - merged.size;
  let missingWords = tokens - nextId - missingMerged;
  const [first, ...others] = ['\xf5', '\xf6', '\xf7', '\xf8', '\xf9'].map(written) as [string, ...string[]];
  const made = [first];
  for (const start of made)
    for (const end of others.slice(0, missingMerged)) {
      vocab[start + end] = nextId++;
      merges.push(`${start} ${end}`);
      made.push(start + end);
      missingMerged--;
    }
  for (; missingWords > 0; missingWords--)
    vocab[`${'x'.repeat(missingWords % 40)}Q${'z'.repeat(missingWords / 40)}`] = nextId++;
  return { ...rest, model: { ...model, vocab, merges } };
}

/** The file as bytes. */
export function trainedFile(family: NamedFamily): Uint8Array {
  return Buffer.from(JSON.stringify(trainedTokenizer(family)));
}

/** The rank data and the pattern of such a vocabulary as tiktoken takes them, for an oracle. */
export function rankData({ added_tokens, model, pre_tokenizer }: TrainedTokenizer): {
  ranks: string;
  pattern: string;
} {
  const added = new Set(added_tokens.map((token) => (token as { content: string }).content));
  const lines = Object.entries(model.vocab)
    .filter(([token]) => !added.has(token))
    .sort(([, x], [, y]) => x - y)
    .map(([token, id]) => `! ${id} ${Buffer.from(read(token)).toString('base64')}`);
  const [split] = pre_tokenizer.pretokenizers as [{ pattern: { Regex: string } }, object];
  return { ranks: lines.join('\n'), pattern: split.pattern.Regex };
}

/** Byte pair encoding, trained as it is defined: the most frequent pair merges, again and again. */
function trained(family: NamedFamily): string[] {
  const tokens = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  const known = new Set(tokens);
  const add = (token: string) => {
    if (known.has(token)) return;
    known.add(token);
    tokens.push(token);
  };
  // Groups of two digits, then of three: each of three is one of two and a digit.
  for (const digits of [2, 3])
    for (let number = 0; number < 10 ** digits; number++) add(String(number).padStart(digits, '0'));
  const words = countedPieces(family);
  for (let merge = 0; merge < MERGES; merge++) {
    const counts = new Map<string, number>();
    let best = '';
    for (const { parts, times } of words)
      for (let i = 0; i + 1 < parts.length; i++) {
        const pair = `${parts[i]}\u{10000}${parts[i + 1]}`;
        const count = (counts.get(pair) ?? 0) + times;
        counts.set(pair, count);
        if (count > (counts.get(best) ?? 0)) best = pair;
      }
    const [left, right] = best.split('\u{10000}') as [string, string];
    add(left + right);
    for (const { parts } of words)
      for (let i = 0; i + 1 < parts.length; i++)
        if (parts[i] === left && parts[i + 1] === right) parts.splice(i, 2, left + right);
  }
  return tokens;
}

function countedPieces(family: NamedFamily): { parts: string[]; times: number }[] {
  const generator = new TextGenerator(7);
  const times = new Map<string, number>();
  for (let i = 0; i < 60; i++) {
    const bytes = Buffer.from(generator.text(60).normalize('NFC'));
    for (let at = 0; at < bytes.length; ) {
      const end = PIECE_END[family]({ bytes, end: bytes.length }, at);
      // Long runs would be all that is learned.
      const piece = bytes.toString('latin1', at, Math.min(end, at + 24));
      times.set(piece, (times.get(piece) ?? 0) + 1);
      at = end;
    }
  }
  return [...times]
    .filter(([piece]) => !/^\d+$/.test(piece))
    .map(([piece, count]) => ({ parts: [...piece], times: count }));
}

/** Lists some tokens before the longer of their halves, as a few of Llama 3 are. */
function listEarlier(tokens: string[]): void {
  const place = new Map(tokens.map((token, id) => [token, id]));
  for (const [id, token] of [...tokens.entries()].slice(-300)) {
    const half = token.slice(0, -1);
    const halfId = place.get(half);
    if (token.length < 4 || halfId === undefined || halfId < 1400 || id % 7 !== 0) continue;
    tokens[id] = half;
    tokens[halfId] = token;
    place.set(half, id);
    place.set(token, halfId);
  }
}

/** GPT-2's alphabet of bytes. */
const ALPHABET = (() => {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrinted = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCodePoint(isPrinted ? byte : next++);
  });
})();

const written = (token: string) => Array.from(token, (byte) => ALPHABET[byte.charCodeAt(0)]).join('');
const read = (token: string) => Array.from(token, (character) => ALPHABET.indexOf(character));
