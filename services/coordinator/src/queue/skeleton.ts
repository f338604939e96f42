import { parseBodySteps, writeJsonSteps } from '@preflight/body';
import { BlobPiece, isText, type Json, type JsonObject, PreflightError, TextRange } from '@preflight/core';
import { type EncodingName, encodingFacts, isEncodingName } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import type { ContentTexts } from '../count-plan.js';
import type { LedgerPlan } from '../ledger-plan.js';
import type { TrimOutcome, TrimTask } from '../lists/trim-task.js';
import type { FitTask, Prepared } from '../prepared.js';
import type { Parts, RequestText } from '../texts/distinct-texts.js';
import { keysOf } from '../texts/identify.js';
import { HeldText, type KeyedText, type TextDigest } from '../texts/keyed-text.js';
import { StoredCountable, type StoredPiece, StoredText, type StoredTexts } from '../texts/stored-text.js';
import {
  type Packed,
  type PackedColumn,
  packColumns,
  unpackInt8,
  unpackInt32,
  unpackUint8,
} from './columns.js';
import { type PackedLedger, packLedger, unpackBytes } from './ledger-columns.js';

/** To be raised whenever a coordinator of an earlier version would read a skeleton wrongly. */
const SKELETON_VERSION = 11;

/** Texts that are written in one go: about a millisecond. */
const SLICE_TEXTS = 2000;

/** So few texts that are keyed by themselves, and are short, are written together with the rest. */
const FEW_TEXTS = 32;

/** No string of so few bytes would be anything but a string; so JSON.parse reads them, which takes a third of the time. */
const PLAIN_BYTES = 4096;

/**
 * A prepared request as JSON, without its long texts. In the list of texts, a string is keyed by itself; all else has
 * its digest and its pieces, of which those that are stored are references: `{"digest":"…","bytes":n}`, or
 * `{"blob":"…","bytes":n,"as":"…"}` for what is made of an uploaded file.
 */
export async function writeSkeleton(
  prepared: Prepared<RequestText>,
  references: ReadonlyMap<TextRange, StoredText>,
): Promise<Buffer> {
  const { texts } = prepared;
  if (texts.length <= FEW_TEXTS && texts.every(({ digest }) => digest === undefined)) {
    const skeleton: Skeleton = {
      texts: texts.map((text) => textJson(text, references)),
      ...numbersJson(prepared),
    };
    return Buffer.from(JSON.stringify(skeleton));
  }
  const chunks: Uint8Array[] = [];
  const turn = new Turn();
  let mark = '{"texts":[';
  for (let start = 0; start < texts.length; start += SLICE_TEXTS) {
    await turn.breathe();
    const slice = texts.slice(start, start + SLICE_TEXTS).map((text) => textJson(text, references));
    chunks.push(Buffer.from(mark), withoutBrackets(Buffer.concat(await turn.drive(writeJsonSteps(slice)))));
    mark = ',';
  }
  if (texts.length === 0) chunks.push(Buffer.from(mark));
  chunks.push(Buffer.from(`],${JSON.stringify(numbersJson(prepared)).slice(1)}`));
  return Buffer.concat(chunks);
}

/**
 * A prepared request again, whose long texts are fetched when they are read. Throws `version_mismatch` for one that an API of
 * another version wrote, which a coordinator of that version may still take, and `vocabulary_unavailable`.
 */
export async function readSkeleton(bytes: Buffer, stored: StoredTexts): Promise<Prepared> {
  const turn = new Turn();
  const skeleton = await parseSkeleton(bytes, turn);
  if (skeleton.version !== SKELETON_VERSION)
    throw new PreflightError('version_mismatch', {
      internalDetail: `a skeleton of version ${skeleton.version}; this is ${SKELETON_VERSION}`,
    });
  const { parts, ledger, fit, trimming } = skeleton;
  const { bytes: ledgerBytes, ...plan } = ledger;
  const encoding = sameEncoding(skeleton);
  const keys = keysOf(encoding);
  const readText = (json: Json): KeyedText => {
    if (typeof json === 'string') return new HeldText(keys.ofText(json), [json]);
    const { hex, writing, pieces } = json as unknown as DigestedJson;
    const key = keysOf(encoding, writing).ofDigest(hex);
    return new StoredCountable(key, pieces.map(readPiece), stored, { hex, writing });
  };
  const texts: KeyedText[] = [];
  for (const [i, json] of skeleton.texts.entries()) {
    if (i % SLICE_TEXTS === 0) await turn.breathe();
    texts.push(readText(json));
  }
  return {
    encoding,
    texts,
    parts: {
      texts: unpackInt32(parts.texts),
      owners: unpackInt32(parts.owners),
      isEdge: unpackUint8(parts.isEdge),
    },
    ledger: {
      ...plan,
      contentTokens: unpackIfThere(ledger.contentTokens),
      attachmentTokens: unpackIfThere(ledger.attachmentTokens),
      columns: unpackUint8(ledger.columns),
      messages: unpackInt32(ledger.messages),
      signs: unpackInt8(ledger.signs),
      textKinds: ledger.textKinds === undefined ? undefined : unpackUint8(ledger.textKinds),
      otherTokens: unpackInt32(ledger.otherTokens),
      kinds: unpackInt32(ledger.kinds),
      isUser: unpackUint8(ledger.isUser),
      units: unpackInt32(ledger.units),
      unitFaults: unpackUint8(ledger.unitFaults),
      roles: unpackUint8(ledger.roles),
      questions: ledger.questions === undefined ? undefined : unpackUint8(ledger.questions),
      ...unpackBytes(ledgerBytes),
    },
    fit: fit && {
      ...fit,
      contents: { texts: unpackInt32(fit.contents.texts), starts: unpackInt32(fit.contents.starts) },
    },
    trimming: trimming && ('decision' in trimming ? trimming : unpackTrim(trimming)),
  };
}

/** APIs may have been given vocabularies that this process was not, or others by the same name. */
function sameEncoding({ encoding, vocabularyVersion }: Numbers): EncodingName {
  if (isEncodingName(encoding) && encodingFacts(encoding).vocabularyVersion === vocabularyVersion)
    return encoding;
  throw new PreflightError('vocabulary_unavailable', { params: { encoding, vocabularyVersion } });
}

async function parseSkeleton(bytes: Buffer, turn: Turn): Promise<Skeleton> {
  if (bytes.length <= PLAIN_BYTES) return JSON.parse(bytes.toString('utf8'));
  // Written by an API, from a body whose values were counted: it may have a few more.
  const steps = parseBodySteps(bytes, { maxValues: Number.POSITIVE_INFINITY });
  return (await turn.drive(steps)) as unknown as Skeleton;
}

interface Skeleton extends Numbers {
  readonly texts: readonly Json[];
}

/** All but the texts, by the names that they have in `Prepared`. */
interface Numbers {
  readonly version: number;
  readonly encoding: string;
  /** Keys of texts name it: they must not be those of other counts. */
  readonly vocabularyVersion: string;
  readonly parts: Packed<Parts>;
  readonly ledger: PackedLedger<LedgerPlan>;
  readonly fit?: (Omit<FitTask, 'contents'> & { readonly contents: Packed<ContentTexts> }) | undefined;
  readonly trimming?: Packed<TrimTask> | TrimOutcome | undefined;
}

function numbersJson({ encoding, parts, ledger, fit, trimming }: Prepared): Numbers {
  return {
    version: SKELETON_VERSION,
    encoding,
    vocabularyVersion: encodingFacts(encoding).vocabularyVersion,
    parts: packColumns(parts),
    ledger: packLedger(ledger),
    fit: fit && { ...fit, contents: packColumns(fit.contents) },
    trimming: trimming && ('decision' in trimming ? trimming : packColumns(trimming)),
  };
}

function unpackIfThere(packed: PackedColumn | undefined): Int32Array | undefined {
  return packed === undefined ? undefined : unpackInt32(packed);
}

function unpackTrim(trim: Packed<TrimTask>): TrimTask {
  return {
    ...trim,
    types: unpackUint8(trim.types),
    isArray: unpackUint8(trim.isArray),
    partStarts: unpackInt32(trim.partStarts),
    partHasText: unpackUint8(trim.partHasText),
    partTexts: unpackInt32(trim.partTexts),
    partTokens: unpackInt32(trim.partTokens),
  };
}

/** A text that is known by its digest. */
interface DigestedJson extends Partial<TextDigest> {
  readonly hex: string;
  readonly pieces: readonly Json[];
}

function textJson({ pieces, digest }: RequestText, references: ReadonlyMap<TextRange, StoredText>): Json {
  const pieceJson = (piece: StoredPiece): Json => {
    if (typeof piece === 'string') return piece;
    if (piece instanceof StoredText) return { digest: piece.digest, bytes: piece.byteLength };
    if (piece instanceof TextRange) {
      const stored = references.get(piece);
      return stored ? pieceJson(stored) : piece;
    }
    const { as } = piece;
    if (!(piece instanceof BlobPiece)) return { text: pieceJson(piece.text), as };
    return { blob: piece.blob.sha256, bytes: piece.blob.byteLength, as };
  };
  if (digest === undefined) return pieces[0] as string;
  const { hex, writing } = digest;
  return { hex, ...(writing && { writing }), pieces: pieces.map(pieceJson) };
}

function readPiece(json: Json): StoredPiece {
  if (isText(json)) return json;
  const { digest, blob, bytes, text, as } = json as JsonObject;
  if (digest !== undefined) return new StoredText(digest as string, bytes as number);
  if (blob !== undefined) {
    const file = { sha256: blob as string, byteLength: bytes as number };
    return new BlobPiece(file, as as BlobPiece['as']);
  }
  return { text: readPiece(text as Json), as } as StoredPiece;
}

function withoutBrackets(list: Buffer): Buffer {
  return list.subarray(1, -1);
}
