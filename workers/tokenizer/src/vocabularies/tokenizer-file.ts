import { isUtf8 } from 'node:buffer';
import type { PatternFamily } from '../encodings.js';
import { PIECE_END } from '../pieces/piece-end.js';
import { bytesOfToken } from './byte-level.js';
import { ID_LIMIT, type Merge, type OrderedVocabulary, orderByMerges } from './merge-order.js';
import { FAMILY_OF_PATTERN } from './patterns.js';
import { TokenizerFileError, type TokenizerFileIssue } from './tokenizer-file-error.js';

/** What a `tokenizer.json` says, as far as it decides how many tokens a text has. */
export interface TokenizerFile {
  readonly family: PatternFamily;
  /** Texts are brought to NFC before they are split. */
  readonly isNormalized: boolean;
  readonly vocabulary: OrderedVocabulary;
  /** Tokens that no merge leads to, and that whole pieces may be all the same. */
  readonly wholePieces: readonly string[];
}

/** Ids of the kernel have 18 bits, and its table of halves as many places. */
const MOST_TOKENS = 212_992;

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/**
 * Reads a `tokenizer.json` (Hugging Face) of byte-level BPE with one of the patterns of `FAMILY_OF_PATTERN`. Special and
 * added tokens are left out: text that spells one is ordinary text here. Takes about a second.
 *
 * Throws TokenizerFileError, with every place that says something else: nothing is counted by a guess.
 */
export function readTokenizerFile(content: Json): TokenizerFile {
  const file = objectAt('', content);
  const model = objectAt('/model', file.model);
  const { family, isNormalized } = splittingOf(file, model);
  const tokens = tokensOf(model, addedTokens(file));
  const vocabulary = orderByMerges(tokens.bytes, mergesOf(model, tokens.idOf));
  if (vocabulary.tokens.length > MOST_TOKENS) throw at('/model/vocab', `has more than ${MOST_TOKENS} tokens`);
  const wholePieces =
    model.ignore_merges === true ? vocabulary.unreachable.filter((token) => isPiece(token, family)) : [];
  if (family === 'llama3') refuseBrokenDigits(vocabulary);
  else if (wholePieces.length > 0)
    throw at(
      '/model/ignore_merges',
      'makes whole pieces of tokens that no merge leads to: not supported here',
    );
  return { family, isNormalized, vocabulary, wholePieces };
}

/** How texts are normalized and split; all that is not as expected is told at once. */
function splittingOf(file: JsonObject, model: JsonObject): Pick<TokenizerFile, 'family' | 'isNormalized'> {
  const issues: TokenizerFileIssue[] = [];
  const expect = (pointer: string, isAsExpected: boolean, detail: string) => {
    if (!isAsExpected) issues.push({ pointer, detail });
  };
  expect('/model/type', model.type === 'BPE', `is ${shown(model.type)}; only BPE can be counted exactly`);
  expect('/model/dropout', !model.dropout, 'makes counts a matter of chance');
  for (const field of ['byte_fallback', 'continuing_subword_prefix', 'end_of_word_suffix'])
    expect(
      `/model/${field}`,
      !model[field],
      `is ${shown(model[field])}; only byte-level BPE without it is supported`,
    );

  const steps = stepsOf('/pre_tokenizer', file.pre_tokenizer, 'pretokenizers');
  const [split, byteLevel] = steps as [JsonObject | undefined, JsonObject | undefined];
  const pattern = (split?.pattern as JsonObject | undefined)?.Regex;
  const family = typeof pattern === 'string' ? FAMILY_OF_PATTERN.get(pattern) : undefined;
  expect(
    '/pre_tokenizer',
    steps.length === 2 && split?.type === 'Split' && byteLevel?.type === 'ByteLevel',
    `is ${shown(steps.map(({ type }) => type).join(', '))}; a Split and a ByteLevel are expected`,
  );
  if (issues.length === 0) {
    expect(
      '/pre_tokenizer/pretokenizers/0',
      family !== undefined && split?.behavior === 'Isolated' && split.invert !== true,
      'splits by a pattern that is not known; known are those of Llama 3, Qwen 2 to 3, and Tekken',
    );
    expect(
      '/pre_tokenizer/pretokenizers/1',
      byteLevel?.add_prefix_space === false && byteLevel.use_regex === false,
      'adds spaces or splits again: not supported',
    );
  }
  const normalizers = stepsOf('/normalizer', file.normalizer, 'normalizers').map(({ type }) => type);
  const isNormalized = normalizers.length > 0;
  expect(
    '/normalizer',
    !isNormalized || (normalizers.join() === 'NFC' && (family === undefined || family === 'qwen2')),
    `is ${shown(normalizers.join(', '))}; only NFC with Qwen's pattern is supported`,
  );
  if (issues.length > 0 || family === undefined) throw new TokenizerFileError(...issues);
  return { family, isNormalized };
}

/** The steps of a normalizer or pre-tokenizer: itself, or those of a sequence. */
function stepsOf(pointer: string, given: Json, list: string): readonly JsonObject[] {
  if (given === null || given === undefined) return [];
  const step = objectAt(pointer, given);
  const steps = step[list];
  if (step.type !== 'Sequence' || !Array.isArray(steps)) return [step];
  return steps.map((each, index) => objectAt(`${pointer}/${list}/${index}`, each));
}

/** What is written as one token and is none of ordinary text. */
function addedTokens(file: JsonObject): ReadonlySet<string> {
  const added = file.added_tokens ?? [];
  if (!Array.isArray(added)) throw at('/added_tokens', 'is no list');
  return new Set(added.map((token: JsonObject) => String(token?.content)));
}

interface Tokens {
  /** What each spells, by id. */
  readonly bytes: ReadonlyMap<number, string>;
  /** By how the file writes them. */
  readonly idOf: ReadonlyMap<string, number>;
}

function tokensOf(model: JsonObject, added: ReadonlySet<string>): Tokens {
  const tokens = new Map<number, string>();
  const idOf = new Map<string, number>();
  for (const [token, id] of Object.entries(objectAt('/model/vocab', model.vocab))) {
    if (added.has(token)) continue;
    if (typeof id !== 'number' || !(id >= 0 && id < ID_LIMIT) || !Number.isInteger(id) || tokens.has(id))
      throw at(pointerTo(token), 'is no id, or one that another token has');
    const bytes = bytesOfToken(token);
    if (bytes === undefined || bytes === '')
      throw at(pointerTo(token), 'is not written in the alphabet of bytes');
    tokens.set(id, bytes);
    idOf.set(token, id);
  }
  const known = new Set(tokens.values());
  for (let byte = 0; byte < 256; byte++)
    if (!known.has(String.fromCharCode(byte))) throw at('/model/vocab', `has no token for byte ${byte}`);
  return { bytes: tokens, idOf };
}

function pointerTo(token: string): string {
  return `/model/vocab/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Merges are written as pairs, or as two tokens with a space between. */
function mergesOf(model: JsonObject, idOf: Tokens['idOf']): Merge[] {
  if (!Array.isArray(model.merges)) throw at('/model/merges', 'is no list');
  return model.merges.map((merge: Json, index) => {
    const pair: readonly Json[] =
      typeof merge === 'string' ? merge.split(' ') : Array.isArray(merge) ? merge : [];
    const [left, right] = pair;
    const leftId = idOf.get(left as string);
    const rightId = idOf.get(right as string);
    // In an alphabet of characters for bytes, tokens are joined as they are written.
    const merged = idOf.get(`${left}${right}`);
    if (pair.length !== 2 || leftId === undefined || rightId === undefined || merged === undefined)
      throw at(`/model/merges/${index}`, 'is no pair of tokens that together are a token');
    return [leftId, rightId, merged];
  });
}

/** Whether the pattern takes the token as one piece when it is a text of its own. */
function isPiece(token: string, family: PatternFamily): boolean {
  const bytes = Buffer.from(token, 'latin1');
  return isUtf8(bytes) && PIECE_END[family]({ bytes, end: bytes.length }, 0) === bytes.length;
}

/** The kernel takes every group of two or three digits for a token. */
function refuseBrokenDigits({ rankOf }: OrderedVocabulary): void {
  for (let number = 0; number < 1000; number++)
    for (const digits of [2, 3]) {
      const group = String(number).padStart(digits, '0');
      if (group.length === digits && !rankOf.has(group))
        throw at('/model/vocab', `has no token for the digits ${group}: not supported`);
    }
}

function objectAt(pointer: string, value: Json): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw at(pointer, 'is no object');
  return value as JsonObject;
}

function at(pointer: string, detail: string): TokenizerFileError {
  return new TokenizerFileError({ pointer, detail });
}

function shown(value: Json): string {
  return JSON.stringify(value)?.slice(0, 80) ?? 'absent';
}
